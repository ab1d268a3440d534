import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { uuidv7 } from '../../../core/ids.js';
import { registerSearchAttributes } from '../../../runtime/temporal/search-attributes.js';
import { temporalReachable } from '../../../runtime/temporal/connection.js';
import type { TemporalConfig } from '../../../runtime/settings/config.js';
import { eventually } from '../eventually.js';
import { shared } from '../shared/servers.js';

/** A Temporal server for tests, and one of its namespaces. */
export interface TestTemporal {
  /** The connection as the service's configuration. */
  readonly config: TemporalConfig;
  /** The connection as the service's settings. */
  readonly env: { readonly TEMPORAL_ADDRESS: string; readonly TEMPORAL_NAMESPACE: string };
  /** Deletes the namespace. The server continues to answer for it for some seconds. */
  deleteNamespace(): Promise<void>;
  /** Makes the deleted namespace again, empty. */
  remakeNamespace(): Promise<void>;
}

/**
 * Returns a new namespace, with our search attributes registered, on the server of this test run. Its database is in
 * memory. Without a namespace of its own, a suite would receive tasks that another left behind.
 */
export async function startTemporal(): Promise<TestTemporal> {
  const { address, uiUrl } = await shared('temporal');
  const namespace = `tests-${uuidv7()}`;
  await makeNamespace(address, namespace);
  return {
    config: { address, namespace, apiKey: null, tls: null, uiUrl },
    env: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
    deleteNamespace: () =>
      connected(address, async (connection) => {
        await connection.operatorService.deleteNamespace({ namespace });
      }),
    remakeNamespace: () => makeNamespace(address, namespace),
  };
}

async function makeNamespace(address: string, namespace: string): Promise<void> {
  await connected(address, async (connection) => {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    // The whole server knows the namespace only shortly afterwards.
    await eventually(() => temporalReachable(connection, namespace));
    await registerSearchAttributes(connection, namespace);
  });
}

async function connected(address: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}
