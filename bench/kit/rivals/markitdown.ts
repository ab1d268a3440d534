import { fileURLToPath } from 'node:url';
import { reservePort } from '../../../test/support/servers/ports.js';
import { findPython, type TestPython } from '../../../test/support/servers/python.js';
import { startRival, type Rival } from './rival.js';

const server = fileURLToPath(new URL('../../bare/markitdown_server.py', import.meta.url));

/** Returns a separate Python with markitdown and pandoc in the user's cache folder. */
export function findMarkitdown(): Promise<TestPython> {
  return findPython(new URL('markitdown-requirements.txt', import.meta.url));
}

/** Starts markitdown in one persistent process. */
export async function startMarkitdown(python: TestPython, connections: number): Promise<Rival> {
  const port = String(await reservePort());
  return await startRival(`http://127.0.0.1:${port}/`, python.python, [server, port], connections);
}
