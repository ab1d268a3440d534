import { SecretRefusedError } from '../../core/secrets/secret-fingerprint.js';
import type { Logger } from '../logging/logger.js';

/** Prevents a process from working on a database with the wrong KW_SECRET. */
export interface SecretGuard {
  /**
   * Resolves once the database has accepted the secrets, asking it if necessary. Throws SecretRefusedError, or the
   * error that prevented an answer.
   */
  ensure(): Promise<void>;
  /** Resolves if the database has rejected the secrets: the process must end. */
  readonly refused: Promise<SecretRefusedError>;
}

/** @param accept Asks the database, and returns whether the first secret was new to it. */
export function createSecretGuard(
  accept: () => Promise<{ readonly isNew: boolean }>,
  log: Logger,
): SecretGuard {
  let accepted = false;
  let asking: Promise<void> | null = null;
  let refuse: (error: SecretRefusedError) => void = () => undefined;
  const refused = new Promise<SecretRefusedError>((resolve) => (refuse = resolve));
  const ask = async (): Promise<void> => {
    try {
      const { isNew } = await accept();
      accepted = true;
      if (isNew)
        log.warn(
          'the first secret in KW_SECRET is new to this database: processes without it cannot use the tokens that it signs and the configs that it encrypts',
        );
    } catch (error) {
      if (error instanceof SecretRefusedError) refuse(error);
      throw error;
    } finally {
      asking = null;
    }
  };
  return {
    refused,
    async ensure() {
      if (!accepted) await (asking ??= ask());
    },
  };
}
