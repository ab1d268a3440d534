import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
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
}

/** The namespace of this process. Suites in the same process share it; parallel processes do not. */
const ours = `tests-${process.pid}`;
let ready: Promise<unknown> | undefined;

/**
 * Returns the server of this test run, with its database in memory and our search attributes registered.
 *
 * @param namespace A new one for a suite that counts its contents.
 */
export async function startTemporal(namespace = ours): Promise<TestTemporal> {
  const { address, uiUrl } = await shared('temporal');
  if (namespace === ours) await (ready ??= makeNamespace(address, namespace));
  else await makeNamespace(address, namespace);
  return {
    config: { address, namespace, apiKey: null, tls: null, uiUrl },
    env: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
  };
}

async function makeNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    // The whole server knows the namespace only shortly afterwards.
    await eventually(() => temporalReachable(connection, namespace));
    await registerSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}
