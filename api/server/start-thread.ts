import { Worker, type WorkerOptions } from 'node:worker_threads';

const isSource = import.meta.url.endsWith('.ts');

/** Starts a thread with one of our modules, given by its URL without an extension. */
export function startThread(module: URL, options: WorkerOptions): Worker {
  const file = new URL(`${module.href}${isSource ? '.ts' : '.js'}`);
  if (!isSource) return new Worker(file, options);
  // A thread does not inherit what lets this one run its sources as they are.
  const entry = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import(${JSON.stringify(file.href)}); })`;
  return new Worker(entry, { ...options, eval: true });
}
