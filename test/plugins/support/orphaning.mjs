// Has a child loop for ever, and says which process it is.
import { Readable } from 'node:stream';
import { runInChild } from '../../../dist/plugins/host/run-in-child.js';

const task = {
  module: new URL('./hostile-child.mjs', import.meta.url),
  input: () => Promise.resolve(Readable.from(['source'])),
  limits: { memoryMb: 192, timeoutSeconds: 600, outputBytes: 1_000_000 },
  signal: new AbortController().signal,
  subject: 'TASK',
};
const [{ pid }] = await runInChild({ ...task, request: 'report' });
await runInChild({ ...task, request: 'loop', onProgress: () => console.log(pid) });
