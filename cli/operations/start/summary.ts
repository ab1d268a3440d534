import { relative } from 'node:path';

import type { Config } from '../../../runtime/settings/config.js';
import type { DataPaths } from '../../../runtime/embedded/data-paths.js';
import { duration } from '../../terminal/units.js';
import type { Terminal } from './terminal.js';

/** Prints the addresses of all parts, and what to try first. */
export function printReady(
  terminal: Terminal,
  up: {
    readonly config: Config;
    readonly temporal: Config['temporal'];
    readonly paths: DataPaths;
    readonly loginLink: string;
    readonly tookMs: number;
  },
): void {
  const { config, temporal, paths, loginLink } = up;
  const keyFile = short(paths.adminKey);
  const lines: readonly (readonly [string, string | null])[] = [
    ['API', `${config.publicUrl}/api/v1`],
    ['Its docs', `${config.publicUrl}/docs`],
    [
      'Temporal',
      temporal.uiUrl === null ? null : `${temporal.uiUrl}/namespaces/${temporal.namespace}/workflows`,
    ],
    ['Admin key', keyFile],
    ['Logs', short(paths.logs)],
  ];
  terminal.print();
  terminal.print(`  Ready after ${duration(up.tookMs)}.`);
  terminal.print();
  terminal.print(`  Log in: ${loginLink}`);
  terminal.print('  (once, within 5 minutes; "npx kw keys login-link" makes another)');
  terminal.print();
  for (const [name, value] of lines) if (value !== null) terminal.print(`    ${name.padEnd(12)} ${value}`);
  terminal.print();
  if (config.temporal.address === '') {
    terminal.print(
      `  Other users of this machine can reach Temporal (${temporal.address}, and its Web UI), which needs`,
    );
    terminal.print(
      '  no log-in: they can read and end every run. Web pages in a browser cannot. The API and PostgreSQL',
    );
    terminal.print('  require a key or a password.');
    terminal.print();
  }
  terminal.print('  Try it:');
  terminal.print();
  terminal.print(`    curl -H "Authorization: Bearer $(cat ${keyFile})" \\`);
  terminal.print(
    `      -F name=Readme -F type=document -F file=@README.md ${config.publicUrl}/api/v1/resources`,
  );
  terminal.print();
  terminal.print('  Ctrl-C stops everything.');
  terminal.print();
}

/** Returns a path as the user would type it here. */
function short(path: string): string {
  const fromHere = relative(process.cwd(), path);
  const shown = fromHere.startsWith('..') ? path : fromHere;
  return /^[\w./@%+=:,-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
