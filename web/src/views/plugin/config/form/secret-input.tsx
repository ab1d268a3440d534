import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import classes from '../config-editor.module.css';

/** An input for a plugin's secret. It is not the visitor's password, so password managers must ignore it. */
export function SecretInput(props: TextInputProps): ReactElement {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextInput
      {...props}
      className={isShown ? undefined : classes.secret}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={isShown ? 'Hide the secret' : 'Show the secret'}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
        </ActionIcon>
      }
    />
  );
}
