// A worker with only Temporal's SDK: the bare workflows, and their activities on their own queues.
import { fileURLToPath } from 'node:url';
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Agent, request } from 'undici';

const [address = '', ...queues] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
const connection = await NativeConnection.connect({ address });
const dispatcher = new Agent({ connections: 64, pipelining: 1 });

/** Sends its task token to an HTTP worker, which calls back. */
async function deliver(endpoint: string, callbackUrl: string): Promise<never> {
  const callback = { url: callbackUrl, token: Context.current().info.base64TaskToken };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ callback });
  const answer = await request(endpoint, { method: 'POST', dispatcher, headers, body });
  await answer.body.dump();
  throw new CompleteAsyncError();
}

const workers = await Promise.all(
  queues.map((taskQueue) =>
    Worker.create({
      connection,
      taskQueue,
      activities: { noop: () => Promise.resolve({}), deliver },
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
