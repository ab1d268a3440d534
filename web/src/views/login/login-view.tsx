import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { forgetSession, useLogIn, useSession } from '../../api/session.js';
import { PageTitle } from '../../parts/layout/page-title.js';
import { LogInForm } from '../../parts/log-in-form.js';
import { Notice } from '../../parts/messages/notice.js';
import { LogoMark } from '../../shell/logo.js';
import { takeLoginToken } from './login-token.js';
import classes from './login-view.module.css';

/** Logs in with an API key, or immediately with the token of a login link. */
export function LoginView(): ReactElement {
  const session = useSession();
  const logIn = useLogIn();
  const { mutate } = logIn;
  const client = useQueryClient();
  const [hasEnded] = useState(session.data?.hasEnded === true);
  useEffect(() => {
    if (hasEnded) forgetSession(client);
  }, [client, hasEnded]);
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

  if (session.data && session.data.hasEnded !== true)
    return <Redirect to={ownPath(parameters.get('from'))} replace />;
  return (
    <main id="main" className={classes.main}>
      <PageTitle>Log in</PageTitle>
      <div className={classes.card}>
        <LogoMark size={40} />
        <h1 className={classes.title}>Knowledge Warehouse</h1>
        {hasEnded && (
          <Notice tone="amber" title="Your session ended" role="status">
            Log in again.
          </Notice>
        )}
        <p className="dim">Log in with an API key. It is exchanged for a session and not kept.</p>
        <LogInForm logIn={logIn} />
        <p className={`dim small ${classes.hint ?? ''}`}>
          <code>npm start</code> prints a link that logs you in. It keeps its admin key in the file{' '}
          <code>admin-key</code> of its data directory.
        </p>
      </div>
    </main>
  );
}

/** Returns the path from which the visitor came, if it is on this page and not on another host. */
function ownPath(from: string | null): string {
  return from !== null && /^\/(?![/\\])/.test(from) && !from.startsWith('/login') ? from : '/resources';
}
