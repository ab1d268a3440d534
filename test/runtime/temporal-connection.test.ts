import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { status } from '@grpc/grpc-js';
import { connectTemporal } from '../../runtime/temporal/connection.js';
import { describeWorkflow, whyForeign } from '../../runtime/temporal/describe-workflow.js';
import { failsAllCalls } from '../../runtime/temporal/errors.js';
import { startTemporal } from '../support/servers/temporal.js';

describe('a connection to Temporal', () => {
  it('ends its calls when it is closed, including those waiting for a retry', async () => {
    const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const temporal = await connectTemporal({
      address: `127.0.0.1:${port}`,
      namespace: 'default',
      apiKey: null,
      tls: null,
      uiUrl: null,
    });
    const calls = Array.from({ length: 20 }, () =>
      temporal.connection.workflowService.describeNamespace({ namespace: 'default' }),
    );
    const ends = Promise.allSettled(calls);
    // Every call that fails waits for its next try by a timer.
    await once(server, 'connection');
    await once(server, 'connection');
    await temporal.close();
    for (const end of await ends) {
      assert.equal(end.status, 'rejected');
      assert.equal((end.reason as { readonly code?: number }).code, status.CANCELLED);
    }
    server.close();
    await once(server, 'close');
  });

  it('distinguishes an unknown workflow from an unknown namespace', async () => {
    const { config } = await startTemporal();
    const temporal = await connectTemporal(config);
    assert.equal(await describeWorkflow(temporal.connection, config.namespace, 'unknown'), null);
    await assert.rejects(describeWorkflow(temporal.connection, 'unknown', 'unknown'), {
      code: status.NOT_FOUND,
    });
    await assert.rejects(describeWorkflow(temporal.connection, 'unknown', 'id'), failsAllCalls);
    await temporal.close();
  });

  it('recognizes a workflow of Core in a description that leaves out its task queue', () => {
    const workflowExecutionInfo = { taskQueue: '', type: { name: 'runOperation' } };
    assert.equal(whyForeign({ workflowExecutionInfo }, 'runOperation'), null);
  });
});
