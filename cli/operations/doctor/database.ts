import type { Db } from '../../../storage/database/connection.js';
import { diagnoseDatabase, type DatabaseDiagnosis } from '../../../storage/database/diagnosis.js';
import { compareClock } from './clock.js';
import { about, type Finding } from './finding.js';

const database = about('PostgreSQL');
const schema = about('schema');
const locale = about('locale');

const oldestVersion = 15;

/** Version, permissions, connections, schema, locale and clock of a database that answers. */
export async function checkDatabase(db: Db, poolSize: number): Promise<Finding[]> {
  const from = Date.now();
  const found = await diagnoseDatabase(db);
  return [
    ...checkServer(found, poolSize),
    checkSchema(found),
    checkLocale(found),
    compareClock('PostgreSQL', { time: found.now.getTime(), from, to: Date.now() }),
  ];
}

function checkServer(found: DatabaseDiagnosis, poolSize: number): Finding[] {
  const version = `${Math.floor(found.version / 10_000)}.${found.version % 10_000}`;
  const free = found.maxConnections - found.usedConnections;
  const findings: Finding[] = [];
  if (found.version < oldestVersion * 10_000)
    findings.push(
      database.fail(`Version ${version} is too old.`, `Upgrade it to ${oldestVersion} or later.`),
    );
  if (found.isReadOnly)
    findings.push(
      database.fail(
        'The server is a standby: it accepts no writes.',
        'Set DATABASE_URL to the primary server.',
      ),
    );
  if (found.encoding !== 'UTF8')
    findings.push(
      database.fail(
        `The database is encoded in ${found.encoding}.`,
        "Create it again with encoding 'UTF8' template template0, and restore a dump into it.",
      ),
    );
  if (free < poolSize)
    findings.push(
      database.warn(
        `${found.usedConnections} of ${found.maxConnections} connections are in use.`,
        'Raise max_connections, lower KW_DATABASE_POOL_SIZE (each process holds that many), or put a pooler in front.',
      ),
    );
  return findings.length > 0
    ? findings
    : [
        database.ok(
          `Version ${version}, ${found.usedConnections} of ${found.maxConnections} connections in use.`,
        ),
      ];
}

function checkSchema(found: DatabaseDiagnosis): Finding {
  const { pendingMigrations: pending } = found;
  if (pending.length === 0) return schema.ok('Up to date.');
  const problems = [
    ...(found.mayCreate ? [] : ['the role may not create tables']),
    ...(found.hasTrigrams ? [] : ['the extension pg_trgm is missing']),
  ];
  const notes = problems.length === 0 ? '' : ` (${problems.join('; ')})`;
  return schema.fail(
    `Not applied: ${pending.join(', ')}${notes}.`,
    'Run "kw migrate" as a role that owns the database. If that role may not create the extension, ask an administrator to run "create extension pg_trgm" first.',
  );
}

function checkLocale(found: DatabaseDiagnosis): Finding {
  return found.foldsCase
    ? locale.ok(`${found.locale}: searches ignore the case of letters in all languages.`)
    : locale.warn(
        `${found.locale}: ?q= ignores case in ASCII only, so "übersicht" does not find "Übersicht".`,
        "Create the database again with a locale that handles the case of all letters, such as locale_provider builtin builtin_locale 'C.UTF-8' template template0 (PostgreSQL 17) or icu_locale 'und', and restore a dump into it.",
      );
}
