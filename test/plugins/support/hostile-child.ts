import { PluginFailure } from '../../../plugins/sdk/index.js';
import { serveTask } from '../../../plugins/sdk/child-task.js';

export type Behaviour =
  | 'report'
  | 'quiet'
  | 'fail'
  | 'throw'
  | 'loop'
  | 'heap'
  | 'buffers'
  | 'flood'
  | 'abort'
  | 'segfault'
  | 'quit';

/** Behaves as it is asked to. */
await serveTask((behaviour, source, send) => {
  switch (behaviour as Behaviour) {
    case 'report': {
      send({
        pid: process.pid,
        environment: Object.keys(process.env),
        sizeBytes: source.sizeBytes,
        last: source.read(source.sizeBytes - 4, 100).toString(),
      });
      return;
    }
    case 'quiet':
      return;
    case 'fail':
      throw new PluginFailure('SOME_CODE', 'as asked', { retryable: true, details: { page: 7 } });
    case 'throw':
      throw new Error('unforeseen');
    case 'loop':
      send('started');
      for (;;);
    case 'heap': {
      const kept: string[][] = [];
      for (;;) kept.push(Array<string>(1000).fill(String(kept.length)));
    }
    case 'buffers': {
      const kept: Buffer[] = [];
      for (;;) kept.push(Buffer.alloc(4 * 1024 * 1024, 1));
    }
    case 'flood':
      for (;;) send('x'.repeat(1000));
    case 'abort':
      process.abort();
    case 'segfault':
      return void process.kill(process.pid, 'SIGSEGV');
    case 'quit':
      return process.exit(0);
  }
});
