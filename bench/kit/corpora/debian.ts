import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Fetches Debian packages into a folder and unpacks them there, with the tools of a Debian system. */
export async function unpackPackages(
  packages: readonly string[],
  folder: string,
  say: (text: string) => void,
): Promise<void> {
  say(`fetching ${packages.length} Debian packages`);
  try {
    await run('apt-get', ['download', ...packages], { cwd: folder });
    await run('sh', ['-c', 'for package in *.deb; do dpkg-deb -x "$package" .; done'], { cwd: folder });
  } catch (error) {
    const cause = 'The documents need apt-get and dpkg-deb of Debian 12; run "apt-get update" first.';
    throw new Error(cause, { cause: error });
  }
}
