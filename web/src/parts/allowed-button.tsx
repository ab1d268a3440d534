import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Scope } from '../api/session.js';
import { useRefusal } from './permission.js';

interface AllowedButtonProps extends ButtonProps {
  readonly scope: Scope;
  readonly onClick?: () => void;
  readonly type?: 'button' | 'submit';
  /** Why it cannot be done now, whoever asks. */
  readonly refusal?: string | null;
}

/** A button that works for who may. For the others it says why not, and keeps the focus so that they can read it. */
export function AllowedButton({ scope, onClick, refusal = null, ...rest }: AllowedButtonProps): ReactElement {
  const forbidden = useRefusal(scope);
  const why = forbidden ?? refusal;
  if (why === null) return <Button {...rest} onClick={onClick} />;
  return (
    <Tooltip label={why}>
      <Button {...rest} type="button" data-disabled aria-disabled aria-description={why} />
    </Tooltip>
  );
}
