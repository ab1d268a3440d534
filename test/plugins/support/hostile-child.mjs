// Compiled already, as the children of a service are: behaves as it is asked to.
import { PluginFailure } from '@knowledge-warehouse/plugin';

const kept = [];

export const task = {
  run(behaviour, source, { send, progress }) {
    switch (behaviour) {
      case 'report':
        send({
          pid: process.pid,
          environment: Object.keys(process.env),
          sizeBytes: source.sizeBytes,
          last: source.read(source.sizeBytes - 4, 100).toString(),
        });
        return;
      case 'quiet':
        return;
      case 'fail':
        throw new PluginFailure('SOME_CODE', 'as asked', { retryable: true, details: { page: 7 } });
      case 'throw':
        throw new Error('unforeseen');
      case 'loop':
        progress(0.5, 'started');
        for (;;);
      case 'wait':
        return new Promise((resolve) => setTimeout(resolve, 1_500)).then(() => send('done'));
      case 'heap':
        for (;;) kept.push(Array(1000).fill(String(kept.length)));
      case 'buffers':
        for (;;) kept.push(Buffer.alloc(4 * 1024 * 1024, 1));
      case 'flood':
        for (;;) send('x'.repeat(1000));
      case 'abort':
        process.abort();
      case 'segfault':
        return void process.kill(process.pid, 'SIGSEGV');
      case 'quit':
        return process.exit(0);
      // What follows hurts whoever comes next, where it can.
      case 'pollute':
        try {
          JSON.parse('{"__proto__": {"polluted": true}}', (key, value) =>
            key === '__proto__' ? Object.assign(Object.prototype, value) : value,
          );
        } catch (error) {
          send(error.name);
        }
        return;
      case 'replace':
        Array.prototype.map = () => ['not mapped'];
        return;
      case 'grow':
        kept.push(Buffer.alloc(120 * 1024 * 1024, 1));
        return;
      case 'break later':
        globalThis.isBroken = true;
        return;
      case 'fail where broken':
        if (globalThis.isBroken) throw new PluginFailure('BROKEN', 'by an earlier task');
        send(process.pid);
        return;
      case 'send later':
        setTimeout(() => send('too late'), 1);
        return;
      case 'look':
        send({ pid: process.pid, polluted: {}.polluted ?? null, mapped: [1].map((each) => each + 1) });
        return;
    }
  },
};
