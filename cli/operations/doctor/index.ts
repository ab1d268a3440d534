import { messageOf } from '../../../core/errors.js';
import { connectDatabase } from '../../../storage/database/connection.js';
import { explainDatabaseError } from '../../../storage/database/explain.js';
import { listTaskQueues } from '../../../storage/pipelines/plugins.js';
import type { Config, Environment } from '../../../runtime/settings/config.js';
import { temporaryFolderProblem } from '../../../runtime/temporary-folder.js';
import { checkDatabase } from './database.js';
import { about, type Finding } from './finding.js';
import { checkObjectStore } from './object-store.js';
import { checkSearch } from './search.js';
import { checkSecret } from './secret.js';
import { checkSettings } from './settings.js';
import { checkTemporal, queuesOf, type Queue } from './temporal.js';

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

/**
 * Checks everything the service needs from its environment, without changing anything. Prints what it finds,
 * with a remedy for each problem. Returns whether the service can work.
 */
export async function doctor(
  env: Environment,
  options: { readonly json: boolean },
  print: (line: string) => void,
): Promise<boolean> {
  const show = (found: readonly Finding[]): readonly Finding[] => {
    if (!options.json) found.flatMap(render).forEach(print);
    return found;
  };
  const { config, findings: ofSettings } = checkSettings(env);
  const ofProcess = show([...ofSettings, checkNode(), ...checkTemporaryFolder()]);
  const { findings: ofDatabase, queues } = await checkStoredState(config);
  show(ofDatabase);
  // A part that does not answer delays only its own findings.
  const ofOthers = await Promise.all([
    checkTemporal(config.temporal, queues).then(show),
    checkObjectStore(config).then(show),
  ]);
  const findings = [...ofProcess, ...ofDatabase, ...ofOthers.flat()];
  if (options.json) print(JSON.stringify(findings, null, 2));
  return !findings.some(({ status }) => status === 'fail');
}

/** Checks the state of the database and returns the task queues it names. */
async function checkStoredState(config: Config): Promise<{ findings: Finding[]; queues: Queue[] }> {
  const postgres = about('PostgreSQL');
  if (config.databaseUrl === '')
    return {
      findings: [
        postgres.warn('Not checked: DATABASE_URL is missing or wrong.', 'Correct the settings named above.'),
      ],
      queues: queuesOf([]),
    };
  const db = connectDatabase(config.databaseUrl, { poolSize: 1 });
  const findings: Finding[] = [];
  try {
    findings.push(...(await checkDatabase(db, config.databasePoolSize)));
    if (findings.some(({ subject, status }) => subject === 'schema' && status === 'fail'))
      return { findings, queues: queuesOf([]) };
    if (config.secrets.length > 0) findings.push(...(await checkSecret(db, config.secrets)));
    findings.push(await checkSearch(db, config));
    return { findings, queues: queuesOf(await listTaskQueues(db)) };
  } catch (error) {
    const message = messageOf(explainDatabaseError(error, config.databaseUrl));
    findings.push(postgres.fail(message, 'Correct DATABASE_URL, or fix the problem in the message.'));
    return { findings, queues: queuesOf([]) };
  } finally {
    await db.destroy();
  }
}

function checkNode(): Finding {
  const node = about('Node.js');
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isFit = major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  return isFit
    ? node.ok(`Version ${process.versions.node}.`)
    : node.fail(`Version ${process.versions.node} is not supported.`, 'Use 20.19+, 22.12+, or 24 and later.');
}

function checkTemporaryFolder(): Finding[] {
  const problem = temporaryFolderProblem();
  const remedy =
    'Create the folder and let the user of API and worker write to it, or set TMPDIR to another folder.';
  return problem === null ? [] : [about('temporary folder').fail(problem, remedy)];
}

function render({ subject, status, message, remedy }: Finding): string[] {
  const line = `${marks[status]}  ${subject.padEnd(17)}  ${message}`;
  return remedy === null ? [line] : [line, `      ${' '.repeat(17)}  → ${remedy}`];
}
