import { Button, PasswordInput, Stack } from '@mantine/core';
import { useState, type ReactElement, type ReactNode, type SubmitEvent } from 'react';
import { ApiError } from '@knowledge-warehouse/client';
import { isApiError } from '../api/client.js';
import type { useLogIn } from '../api/session.js';
import { Problem } from './messages/problem.js';

interface LogInFormProps {
  readonly logIn: ReturnType<typeof useLogIn>;
  /** Shown below the button. */
  readonly children?: ReactNode;
}

/** Logs in with an API key. */
export function LogInForm({ logIn, children }: LogInFormProps): ReactElement {
  const [key, setKey] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    logIn.mutate({ api_key: key.trim() });
  };
  return (
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
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog
          autoFocus
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key', tabIndex: 0 }}
        />
        <Problem error={logIn.error && refused(logIn.error, logIn.variables)} />
        <Button type="submit" loading={logIn.isPending} fullWidth>
          Log in
        </Button>
        {children}
      </Stack>
    </form>
  );
}

function refused(error: Error, sent: object | undefined): Error {
  if (!isApiError(error, 'UNAUTHENTICATED')) return error;
  return new ApiError(
    401,
    'LOGIN_REFUSED',
    sent !== undefined && 'login_token' in sent
      ? 'The link was already used, or is older than five minutes. Create a new one with “kw keys login-link”, or log in with a key.'
      : 'This key is unknown, expired or revoked. Check that you copied all of it.',
  );
}
