import { Button, PasswordInput, Stack } from '@mantine/core';
import { useEffect, useState, type ReactElement, type SubmitEvent } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { ApiError } from '@knowledge-warehouse/client';
import { isApiError } from '../../api/client.js';
import { useLogIn, useSession } from '../../api/session.js';
import { PageTitle } from '../../parts/layout/page-title.js';
import { Problem } from '../../parts/messages/problem.js';
import { LogoMark } from '../../shell/logo.js';
import { takeLoginToken } from './login-token.js';
import classes from './login-view.module.css';

/** Logs in with an API key, or immediately with the token of a login link. */
export function LoginView(): ReactElement {
  const session = useSession();
  const logIn = useLogIn();
  const { mutate } = logIn;
  const [key, setKey] = useState('');
  const [parameters] = useSearchParams();

  useEffect(() => {
    const followLink = (): void => {
      const token = takeLoginToken();
      if (token !== null) mutate({ login_token: token });
    };
    followLink();
    // Opening a link in a tab that already shows this page does not reload it.
    window.addEventListener('hashchange', followLink);
    return () => window.removeEventListener('hashchange', followLink);
  }, [mutate]);

  if (session.data) return <Redirect to={ownPath(parameters.get('from'))} replace />;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate({ api_key: key.trim() });
  };
  return (
    <main id="main" className={classes.main}>
      <PageTitle>Log in</PageTitle>
      <div className={classes.card}>
        <LogoMark size={40} />
        <h1 className={classes.title}>Knowledge Warehouse</h1>
        <p className="dim">Log in with an API key. It is exchanged for a session and not kept.</p>
        <form onSubmit={submit}>
          <Stack mt="lg">
            {/* Password managers store a user name with each password: all keys use this one. */}
            <input type="text" name="username" autoComplete="username" value="API key" readOnly hidden />
            <PasswordInput
              label="API key"
              placeholder="kw_…"
              autoComplete="current-password"
              name="api_key"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page
              autoFocus
              required
              withAsterisk={false}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the key', tabIndex: 0 }}
            />
            <Problem error={logIn.error && refused(logIn.error, logIn.variables)} />
            <Button type="submit" loading={logIn.isPending} fullWidth>
              Log in
            </Button>
          </Stack>
        </form>
        <p className={`dim small ${classes.hint ?? ''}`}>
          <code>npm start</code> prints a link that logs you in. It keeps its admin key in the file{' '}
          <code>admin-key</code> of its data directory.
        </p>
      </div>
    </main>
  );
}

function refused(error: Error, sent: object | undefined): Error {
  if (!isApiError(error) || error.status !== 401) return error;
  return new ApiError(
    401,
    'LOGIN_REFUSED',
    sent !== undefined && 'login_token' in sent
      ? 'The link was already used, or is older than five minutes. Create a new one with “kw keys login-link”, or log in with a key.'
      : 'This key is unknown, expired or revoked. Check that you copied all of it.',
  );
}

/** Returns the path from which the visitor came, if it is on this page and not on another host. */
function ownPath(from: string | null): string {
  return from !== null && /^\/(?![/\\])/.test(from) && !from.startsWith('/login') ? from : '/resources';
}
