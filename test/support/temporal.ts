import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../runtime/temporal/search-attributes.js';
import { temporalReachable } from '../../runtime/temporal/connection.js';
import type { TemporalConfig } from '../../runtime/settings/config.js';
import { eventually } from './eventually.js';
import { shared } from './shared/servers.js';

/** A Temporal server for tests, and a namespace of it. */
export interface TestTemporal {
  /** How to reach it, as the service's own configuration says it. */
  readonly config: TemporalConfig;
  /** The same as settings of the service. */
  readonly env: { readonly TEMPORAL_ADDRESS: string; readonly TEMPORAL_NAMESPACE: string };
}

/** Of this process: suites that run one after the other share one, those that run side by side do not. */
const ours = `tests-${process.pid}`;
let ready: Promise<unknown> | undefined;

/**
 * The server of this run of the tests, with its database in memory and our search attributes registered.
 *
 * @param namespace A new one for a suite that counts what is in it.
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
    // It is known everywhere in the server only a moment later.
    await eventually(() => temporalReachable(connection, namespace));
    await registerSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}
