import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Scope } from '../../api/session.js';
import { useRefusal } from './permission.js';

interface AllowedButtonProps extends ButtonProps {
  readonly scope: Scope;
  readonly onClick?: () => void;
  /** Why the action is not possible now for any user. */
  readonly refusal?: string | null;
}

/** A button that works if the user has the scope. Otherwise it stays focusable and shows the reason. */
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
