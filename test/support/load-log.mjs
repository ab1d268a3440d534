// Loaded with --import. Prints the name of each module in dist/bundled that the process loads. The one that
// TEST_NEVER_LOADED names never gets ready.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { register } from 'node:module';

export async function load(url, context, next) {
  const name = /\/dist\/(bundled\/.*)\.js$/.exec(url)?.[1];
  if (name !== undefined) writeSync(1, `loaded ${name}\n`);
  if (name !== undefined && name === process.env.TEST_NEVER_LOADED)
    return { format: 'module', shortCircuit: true, source: 'await new Promise(() => undefined);' };
  return await next(url, context);
}

// Node runs the hooks in a thread, which loads this file too.
if (isMainThread) register(import.meta.url);
