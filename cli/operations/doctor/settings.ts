import { existsSync, readFileSync } from 'node:fs';
import { dataPaths } from '../../../runtime/embedded/data-paths.js';
import { inspectConfig, type Config, type Environment } from '../../../runtime/settings/config.js';
import { unknownSettings } from '../../../runtime/settings/unknown-settings.js';
import { completeFromStack } from '../running-stack.js';
import { about, type Finding } from './finding.js';

const settings = about('settings');

/** Returns the valid part of the configuration, and its problems for the API or the worker. */
export function checkSettings(env: Environment): { readonly config: Config; readonly findings: Finding[] } {
  const complete = withKeptSecret(completeFromStack(env));
  const { config, problems: ofWorker } = inspectConfig(complete, 'worker');
  const { problems: ofApi } = inspectConfig(complete, 'api');
  const problems = [...new Set([...ofWorker, ...ofApi])];
  const findings = problems.map((problem) =>
    settings.fail(
      problem,
      'Correct it in the environment of every process. .env.example describes each setting.',
    ),
  );
  for (const { name, closest } of unknownSettings(env)) {
    const remedy = closest === null ? `Remove ${name}.` : `Rename it to ${closest}, or remove it.`;
    findings.push(settings.warn(`${name} is not a setting and has no effect.`, remedy));
  }
  if (findings.length === 0) findings.push(settings.ok('Complete and valid.'));
  return { config, findings };
}

/** `npm start` keeps its secret in the data directory. */
function withKeptSecret(env: Environment): Environment {
  const { config } = inspectConfig({ KW_DATA_DIR: env['KW_DATA_DIR'] }, 'start');
  const { secret } = dataPaths(config.dataDir);
  const isGiven = ['KW_SECRET', 'KW_SECRET_FILE'].some((name) => (env[name] ?? '').trim() !== '');
  return isGiven || !existsSync(secret) ? env : { ...env, KW_SECRET: readFileSync(secret, 'utf8').trim() };
}
