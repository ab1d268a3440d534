import { SecretRefusedError } from '../../core/secret-fingerprint.js';
import type { Logger } from '../logging/logger.js';

/** Keeps a process from working on a database with the wrong KW_SECRET. */
export interface SecretGuard {
  /**
   * Resolves once the database has accepted the secrets; asks it unless it has. Throws SecretRefusedError, or what keeps
   * the database from answering.
   */
  ensure(): Promise<void>;
  /** Resolves when the database has refused them: the process must end. */
  readonly refused: Promise<SecretRefusedError>;
}

/** @param accept Asks the database, and says what it did not know of the first secret. */
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
          'the first secret in KW_SECRET is new to this database: processes without it refuse the tokens and configs that it makes',
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
