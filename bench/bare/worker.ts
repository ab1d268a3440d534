// A worker of nothing but Temporal's SDK: the bare workflows, and the activity that does nothing on its own queue.
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

const [address = '', ...queues] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
const connection = await NativeConnection.connect({ address });
const workers = await Promise.all(
  queues.map((taskQueue) =>
    Worker.create({
      connection,
      taskQueue,
      activities: { noop: () => Promise.resolve({}) },
      ...(taskQueue === 'bare' && {
        workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
      }),
    }),
  ),
);
process.on('SIGTERM', () => workers.forEach((worker) => worker.shutdown()));
const running = Promise.all(workers.map((worker) => worker.run()));
console.log('bare worker is ready');
await running;
await connection.close();
