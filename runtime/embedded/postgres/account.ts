import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { isExecutable } from '../files.js';
import { StartError } from '../start-error.js';

/** The user that runs PostgreSQL if this process is root, since PostgreSQL refuses to run as root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Unprivileged users to run as, in order of preference. */
const candidates = ['postgres', '_postgres', 'nobody'];

/**
 * The user to run PostgreSQL as. Null if this process is not root, so that PostgreSQL runs as the same user. Otherwise
 * the owner of the folder if an earlier start assigned one, else an unprivileged user of this machine.
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

export interface AccountCommand {
  readonly command: readonly [string, ...string[]];
  readonly account?: { readonly uid: number; readonly gid: number };
}

/**
 * How to spawn a command so that it runs as the account and can reach the paths. If other users may not enter a folder
 * above them (such as root's home), the command also gets the capability to traverse it, through setpriv(1).
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
      `PostgreSQL runs as the user ${account.name}, which cannot enter ${closed}. Use a folder that every user can reach (KW_DATA_DIR, and this program's own), start as a user other than root, or set DATABASE_URL.`,
    );
  }
  const options = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=+${capability}`,
    // Without it, access(2) only checks the user and ignores the capability.
    '--securebits=+no_setuid_fixup',
  ];
  return { command: [setpriv, ...options, ...command] };
}

/** The first folder above a path that some users may not enter, or null. */
function closedFolderAbove(path: string): string | null {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    folders.unshift(folder);
  return folders.find((folder) => (statSync(folder).mode & 0o001) === 0) ?? null;
}

/** The weakest available capability that allows traversing closed folders; see capabilities(7) for the numbers. */
function passingCapability(): string | null {
  if (process.platform !== 'linux') return null;
  const mask = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const bounding = BigInt(`0x${mask}`);
  if ((bounding >> 2n) & 1n) return 'dac_read_search';
  return (bounding >> 1n) & 1n ? 'dac_override' : null;
}
