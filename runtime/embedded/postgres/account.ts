import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { StartError } from '../start-error.js';

/** The user that PostgreSQL runs as where we are root, which it refuses to run as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Users that stand in for us, the better one first. */
const candidates = ['postgres', '_postgres', 'nobody'];

/**
 * The user to run PostgreSQL as: null when we are not root and it runs as ourselves, else the owner of the folder
 * when an earlier start gave it to somebody, else an unprivileged user that this machine has.
 */
export function postgresAccount(folder: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
  const owner = existsSync(folder) ? statSync(folder).uid : 0;
  if (owner !== 0) {
    return (
      accounts.find(({ uid }) => uid === owner) ?? {
        name: String(owner),
        uid: owner,
        gid: statSync(folder).gid,
      }
    );
  }
  const found = candidates
    .map((name) => accounts.find((account) => account.name === name))
    .find((account) => account !== undefined && account.uid !== 0);
  if (found === undefined) {
    throw new StartError(
      `PostgreSQL does not run as root, and there is no user ${candidates.join(', ')} to run it as. Start as another user, or set DATABASE_URL.`,
    );
  }
  return found;
}

/** How a command is run as an account. */
export interface AccountCommand {
  readonly command: readonly [string, ...string[]];
  readonly account?: { readonly uid: number; readonly gid: number };
}

/**
 * A command as it has to be spawned to run as the account and reach the paths. Where a folder above them is closed to
 * other users (as root's home is), the capability to pass through comes along, with the help of setpriv(1).
 */
export function commandFor(
  account: Account | null,
  command: readonly [string, ...string[]],
  paths: readonly string[],
): AccountCommand {
  if (account === null) return { command };
  const closed = paths.map(closedFolderAbove).find((folder) => folder !== null) ?? null;
  if (closed === null) return { command, account: { uid: account.uid, gid: account.gid } };
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(isExecutable);
  const capability = passingCapability();
  if (setpriv === undefined || capability === null) {
    throw new StartError(
      `PostgreSQL runs as the user ${account.name}, which cannot enter ${closed}. Use a folder that every user can reach (KW_DATA_DIR, and this program's own), start as another user than root, or set DATABASE_URL.`,
    );
  }
  const options = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=+${capability}`,
    // Without it, access(2) looks at the user alone and forgets the capability.
    '--securebits=+no_setuid_fixup',
  ];
  return { command: [setpriv, ...options, ...command] };
}

/** The first folder above a path that not everybody may enter, or null. */
function closedFolderAbove(path: string): string | null {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    folders.unshift(folder);
  return folders.find((folder) => (statSync(folder).mode & 0o001) === 0) ?? null;
}

/** The least of the capabilities we have that opens folders closed to others; see capabilities(7) for the numbers. */
function passingCapability(): string | null {
  if (process.platform !== 'linux') return null;
  const mask = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const bounding = BigInt(`0x${mask}`);
  if ((bounding >> 2n) & 1n) return 'dac_read_search';
  return (bounding >> 1n) & 1n ? 'dac_override' : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
