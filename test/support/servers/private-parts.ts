import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { temporalReachable } from '../../../runtime/temporal/connection.js';
import { createAuthority } from './authority.js';
import { eventually } from '../eventually.js';
import { reservePort } from './ports.js';
import { createDatabase } from './postgres.js';
import { s3Settings, startS3 } from './s3.js';
import { startTemporal } from './temporal.js';
import { temporaryFolder } from '../temporary.js';
import { startHttpsProxy, startPostgresTls, startTemporalTls } from '../network/tls-proxies.js';

/**
 * PostgreSQL, S3 and a Temporal like Temporal Cloud, each over TLS with a certificate signed by a private authority.
 */
export interface PrivateParts {
  /** Settings for all processes of the service, with every secret in a file. */
  readonly env: Readonly<Record<string, string>>;
  readonly adminKey: string;
  readonly namespace: string;
  /** Returns settings with a modified DATABASE_URL instead of its file. */
  withUrl(change: (url: URL) => void): Record<string, string>;
  stop(): Promise<void>;
}

/** @param options `migrated`: whether the database already has the schema. */
export async function startPrivateParts(options: { readonly migrated: boolean }): Promise<PrivateParts> {
  const [{ certificate, caFile }, temporal, database, s3, port] = await Promise.all([
    createAuthority(),
    startTemporal(),
    createDatabase(options),
    startS3(),
    reservePort(),
  ]);
  const namespace = `cloud-${port}`;
  await makeNamespace(temporal.config.address, namespace);
  const databaseUrl = new URL(database.url);
  const proxies = await Promise.all([
    startPostgresTls(certificate, { host: databaseUrl.hostname, port: Number(databaseUrl.port) }),
    startHttpsProxy({ certificate, target: () => s3.endpoint }),
    startTemporalTls(certificate, temporal.config.address, 'the-key-of-the-cloud'),
  ]);
  const [toDatabase, toS3, toTemporal] = proxies;
  databaseUrl.host = toDatabase.address;
  databaseUrl.searchParams.set('sslmode', 'verify-full');
  databaseUrl.searchParams.set('sslrootcert', caFile);
  const { KW_S3_SECRET_ACCESS_KEY, ...bucket } = s3Settings(s3, `https://${toS3.address}`);
  const fileOf = secretFiles();
  const adminKey = 'the-first-admin-key-which-somebody-chose';
  return {
    env: {
      ...bucket,
      KW_S3_SECRET_ACCESS_KEY_FILE: fileOf('s3', KW_S3_SECRET_ACCESS_KEY ?? ''),
      KW_S3_CA_CERT_PATH: caFile,
      DATABASE_URL_FILE: fileOf('database', databaseUrl.href),
      // A host name, because gRPC warns about certificates for IP addresses.
      TEMPORAL_ADDRESS: toTemporal.address.replace('127.0.0.1', 'localhost'),
      TEMPORAL_NAMESPACE: namespace,
      TEMPORAL_API_KEY_FILE: fileOf('temporal', 'the-key-of-the-cloud'),
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: caFile,
      KW_SECRET_FILE: fileOf('secret', 'a-secret-of-the-tests-alone'),
      KW_ADMIN_KEY_FILE: fileOf('admin-key', adminKey),
      PORT: String(port),
      KW_PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
    adminKey,
    namespace,
    withUrl(change) {
      const url = new URL(databaseUrl);
      change(url);
      return { DATABASE_URL_FILE: '', DATABASE_URL: url.href };
    },
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      await Promise.all([s3.stop(), database.drop()]);
    },
  };
}

async function makeNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  await eventually(() => temporalReachable(connection, namespace));
  await connection.close();
}

/** Returns a function that writes secret files, each with the trailing newline that editors add. */
function secretFiles(): (name: string, content: string) => string {
  const folder = temporaryFolder();
  return (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, `${content}\n`);
    return path;
  };
}
