import { isGrpcServiceError, type Connection } from '@temporalio/client';
import type { TemporalConfig } from '../settings/config.js';
import { describeNamespace } from './connection.js';
import { causesOf, isUnavailable, reasonOf } from './errors.js';
import { tryConnection } from './try-connection.js';

/** The gRPC codes that require the operator to change something. */
const [NOT_FOUND, PERMISSION_DENIED, UNAUTHENTICATED] = [5, 7, 16];

const certificateWords = /certificate|altname|self[- ]signed|CERT_/i;

/** Explains in one sentence why Temporal rejects the settings; null if it does not, or is unreachable. */
export async function findTemporalRefusal(
  connection: Connection,
  config: TemporalConfig,
): Promise<string | null> {
  const failure = await tryConnection(config);
  // gRPC would keep trying to connect until the deadline.
  if (failure !== null)
    return certificateWords.test(failure) ? await explainTemporalError(new Error(failure), config) : null;
  try {
    await describeNamespace(connection, config.namespace, 5_000);
    return null;
  } catch (error) {
    const isRefusal = [NOT_FOUND, PERMISSION_DENIED, UNAUTHENTICATED].includes(codeOf(error) ?? 0);
    return isRefusal ? await explainTemporalError(error, config) : null;
  }
}

/** Explains to the operator, in one sentence, why a namespace does not answer. */
export async function explainTemporalError(error: unknown, config: TemporalConfig): Promise<string> {
  const server = `Temporal at ${config.address}`;
  const code = codeOf(error);
  const isSilent = code === null || isUnavailable(error);
  const said = (isSilent ? await tryConnection(config) : null) ?? reasonOf(error);
  const reason = said.replace(/\.$/, '');
  if (code === NOT_FOUND) {
    return `${server} has no namespace "${config.namespace}": create it ("temporal operator namespace create --namespace ${config.namespace}"), or correct TEMPORAL_NAMESPACE.`;
  }
  if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) {
    const what = config.apiKey === null ? 'calls without an API key (TEMPORAL_API_KEY)' : 'TEMPORAL_API_KEY';
    return `${server} refuses ${what} for the namespace "${config.namespace}": ${reason}.`;
  }
  if (certificateWords.test(reason)) {
    return `The certificate of ${server} is not trusted (${reason}): set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate file of the authority that signed it, and TEMPORAL_TLS_SERVER_NAME to the name in the certificate if it differs.`;
  }
  return `${server} cannot be reached${config.tls === null ? ' without TLS' : ' over TLS'}: ${reason}.`;
}

function codeOf(error: unknown): number | null {
  return causesOf(error).find(isGrpcServiceError)?.code ?? null;
}
