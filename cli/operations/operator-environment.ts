import { readEnvironment, type Environment } from '../../runtime/settings/config.js';
import { warnOfUnknownSettings } from '../../runtime/settings/unknown-settings.js';

/** The environment of a command, with a warning on standard error for each name that is misspelt. */
export function readOperatorEnvironment(): Environment {
  const env = readEnvironment();
  for (const warning of warnOfUnknownSettings(env)) process.stderr.write(`${warning}\n`);
  return env;
}
