import { readFile } from 'node:fs/promises';

import { InterceptingCall, Metadata, status, type Interceptor } from '@grpc/grpc-js';
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import type { NativeConnection, NativeConnectionOptions } from '@temporalio/worker';

import type { TemporalConfig } from '../settings/config.js';
import './well-formed-protobuf.js';

export interface TemporalClient {
  readonly connection: Connection;
  readonly client: Client;
  close(): Promise<void>;
}

/**
 * Creates a client that connects on first use, so that a process can start while Temporal is down; `interceptors` see
 * its calls. Only throws if a file from the TLS settings cannot be read.
 */
export async function connectTemporal(
  config: TemporalConfig,
  interceptors: readonly WorkflowClientInterceptor[] = [],
): Promise<TemporalClient> {
  const closing = new AbortController();
  const connection = Connection.lazy({
    ...(await connectionOptions(config)),
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelOnce(closing.signal)],
    // By default, gRPC's pause between attempts grows to two minutes, which would delay recovery after an outage.
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 5_000 },
  });
  const client = new Client({
    connection,
    namespace: config.namespace,
    interceptors: { workflow: [...interceptors] },
  });
  return {
    connection,
    client,
    async close() {
      closing.abort();
      await connection.close();
    },
  };
}

/**
 * Fails new calls on a closing connection with CANCELLED. The SDK retries a failed call by a timer that
 * outlives the connection; on the closed channel it would throw where nothing can catch the error.
 */
function cancelOnce(closing: AbortSignal): Interceptor {
  return (options, nextCall) => {
    if (!closing.aborted) return new InterceptingCall(nextCall(options));
    return new InterceptingCall({
      start(_metadata, listener) {
        listener?.onReceiveStatus?.({
          code: status.CANCELLED,
          details: 'The connection is closed.',
          metadata: new Metadata(),
        });
      },
      sendMessage: () => undefined,
      sendMessageWithContext: () => undefined,
      startRead: () => undefined,
      halfClose: () => undefined,
      cancelWithStatus: () => undefined,
      getPeer: () => '',
      getAuthContext: () => null,
    });
  };
}

/** Connects a worker. Rejects if Temporal is unreachable: the caller decides how often to retry. */
export async function connectWorkerTemporal(config: TemporalConfig): Promise<NativeConnection> {
  // Imported here so that only workers load the native library.
  const worker = await import('@temporalio/worker');
  return worker.NativeConnection.connect(await connectionOptions(config));
}

async function connectionOptions(
  config: TemporalConfig,
): Promise<ConnectionOptions & NativeConnectionOptions> {
  const { address, apiKey, tls } = config;
  const common = { address, ...(apiKey !== null && { apiKey }) };
  if (tls === null) return { ...common, tls: false };
  const read = async (file: string | undefined): Promise<Buffer | undefined> =>
    file === undefined ? undefined : readFile(file);
  const [ca, crt, key] = await Promise.all([read(tls.caFile), read(tls.certFile), read(tls.keyFile)]);
  return {
    ...common,
    tls: {
      ...(tls.serverName !== undefined && { serverNameOverride: tls.serverName }),
      ...(ca !== undefined && { serverRootCACertificate: ca }),
      ...(crt !== undefined && key !== undefined && { clientCertPair: { crt, key } }),
    },
  };
}

/** Describes a namespace. Rejects with the server's error, or if it does not answer within `timeoutMs`. */
export async function describeNamespace(
  connection: Connection,
  namespace: string,
  timeoutMs = 10_000,
): Promise<{ readonly retentionSeconds: number }> {
  const { config } = await connection.withDeadline(Date.now() + timeoutMs, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  return { retentionSeconds: Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) };
}

/** Whether the namespace answers within `timeoutMs`. */
export async function temporalReachable(
  connection: Connection,
  namespace: string,
  timeoutMs = 2000,
): Promise<boolean> {
  return await describeNamespace(connection, namespace, timeoutMs).then(
    () => true,
    () => false,
  );
}
