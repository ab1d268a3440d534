import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { reservePort } from '../../../test/support/servers/ports.js';
import { downloaded, type Pinned } from '../corpora/downloaded.js';
import { startRival, type Rival } from './rival.js';

const jar: Pinned = {
  url: 'https://repo1.maven.org/maven2/org/apache/tika/tika-server-standard/3.2.2/tika-server-standard-3.2.2.jar',
  sha256: '04bcb61826403957cfab93cb1e14d4c305fbeb949475f031b0b73dab7e976995',
};

/** Starts Apache Tika's server with its default settings. */
export async function startTika(connections: number, say: (text: string) => void): Promise<Rival> {
  needJava(say);
  const path = await downloaded(jar, say);
  const port = String(await reservePort());
  const args = ['-jar', path, '--host', '127.0.0.1', '--port', port];
  return await startRival(`http://127.0.0.1:${port}/tika`, 'java', args, connections);
}

/** Checks for Java 17 or later on the PATH. On Debian and Ubuntu, installs it as root. */
function needJava(say: (text: string) => void): void {
  if (runsJava()) return;
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    say('installing openjdk-17-jre-headless with apt-get');
    const apt = (...args: string[]): unknown =>
      execFileSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    try {
      apt('update');
      apt('install', '--yes', '--no-install-recommends', 'openjdk-17-jre-headless');
    } catch {
      // Missing programs are reported below.
    }
  }
  if (!runsJava()) {
    throw new Error(
      'Tika needs Java 17 or later: install it so that "java" runs it (on Debian: apt-get install openjdk-17-jre-headless).',
    );
  }
}

function runsJava(): boolean {
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return error === undefined && Number(/version "(\d+)/.exec(stderr)?.[1]) >= 17;
}
