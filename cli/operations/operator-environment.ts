import { readEnvironment, type Environment } from '../../runtime/settings/config.js';
import { warnOfUnknownSettings } from '../../runtime/settings/unknown-settings.js';

/** Returns the environment of a command. Warns on standard error about each misspelt setting. */
export function readOperatorEnvironment(): Environment {
  const env = readEnvironment();
  for (const warning of warnOfUnknownSettings(env)) process.stderr.write(`${warning}\n`);
  return env;
}
