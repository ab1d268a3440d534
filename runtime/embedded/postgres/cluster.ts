import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { messageOf } from '../../../core/errors.js';
import { writeFileAtomically } from '../files.js';
import { commandFor, type Account } from './account.js';
import type { PostgresBinaries } from './binaries.js';
import { StartError } from '../start-error.js';

/** The role that owns the server. */
export const superuser = 'postgres';

/** Minimal: our own environment must not affect the server. */
export const serverEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/** The passwords of the service's role and of the server's owner. */
export interface Credentials {
  readonly password: string;
  readonly superuserPassword: string;
}

/** Reads the credentials, or creates them if there are none yet. */
export function readCredentials(file: string): Credentials {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  const credentials = {
    password: randomBytes(24).toString('hex'),
    superuserPassword: randomBytes(24).toString('hex'),
  };
  writeFileAtomically(file, `${JSON.stringify(credentials)}\n`);
  return credentials;
}

/** Throws StartError if the cluster's major version differs from that of the programs. */
export function checkVersion(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== '18') {
    throw new StartError(
      `${cluster} was created by PostgreSQL ${version}; this version of the service includes 18. Upgrade it with pg_upgrade, or set KW_DATA_DIR to a new folder to start without its data.`,
    );
  }
}

/** Creates the cluster under a temporary name first, so that it is either complete or absent. */
export async function makeCluster(
  cluster: string,
  binaries: PostgresBinaries,
  account: Account | null,
  credentials: Credentials,
): Promise<void> {
  const partial = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  rmSync(partial, { recursive: true, force: true });
  writePassword(passwordFile, account, credentials);
  const { command, ...as } = commandFor(
    account,
    [
      binaries.initdb,
      `--pgdata=${partial}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same collation and case rules on every machine, whatever its C library.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    [binaries.initdb, partial],
  );
  try {
    await promisify(execFile)(command[0], command.slice(1), {
      env: serverEnvironment,
      cwd: '/',
      ...as.account,
    });
  } catch (error) {
    throw new StartError(`PostgreSQL could not be set up: ${reasonOf(error)}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(partial, cluster);
}

/** Replaces the file. Under root the account owns the folder, and must not lead us to another file by a link. */
function writePassword(path: string, account: Account | null, { superuserPassword }: Credentials): void {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, superuserPassword);
    if (account !== null) fchownSync(file, account.uid, account.gid);
  } finally {
    closeSync(file);
  }
}

/** The line of the output that says why; the last one only says what is removed. */
function reasonOf(error: unknown): string {
  const { stderr = '' } = error as { readonly stderr?: string };
  const lines = (stderr.trim() || messageOf(error).trim()).split('\n');
  return (lines.find((line) => /FATAL|PANIC|error:|No space left/.test(line)) ?? lines.at(-1) ?? '').trim();
}
