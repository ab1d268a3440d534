import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atExit } from '../at-exit.js';
import { findGoProgram, type GoProgram } from './go.js';
import { reservePort } from './ports.js';
import { temporaryFolder } from '../temporary.js';

const s3Server: GoProgram = {
  purpose: 'an S3 server',
  name: 'versitygw',
  module: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.8.0',
};

/** A running S3 server with one empty bucket. */
export interface TestS3 {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
  /** Holds each object of the bucket as a file under its key. */
  readonly folder: string;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/** Returns the path of the S3 server: on the PATH, in the cache folder, or else built with Go. */
export function findS3Server(): Promise<string> {
  return findGoProgram(s3Server);
}

async function answers(endpoint: string, server: ChildProcess): Promise<void> {
  const giveUpAt = Date.now() + 10_000;
  while (server.exitCode === null && Date.now() < giveUpAt) {
    const up = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The S3 server did not start.');
}

/**
 * Starts a real S3 server (versitygw) on a free port with its objects in a temporary folder. Finds the program like
 * `findS3Server`.
 *
 * @param env Additional environment variables; the server's settings begin with VGW_.
 */
export async function startS3(env: Readonly<Record<string, string>> = {}): Promise<TestS3> {
  const program = await findS3Server();
  const folder = temporaryFolder();
  const bucket = 'kw-test';
  const credentials = { accessKeyId: 'test-access', secretAccessKey: 'the-secret-of-the-test-store' };
  const address = `127.0.0.1:${await reservePort()}`;
  const endpoint = `http://${address}`;
  const data = join(folder, 'data');
  await mkdir(join(data, bucket), { recursive: true });
  await mkdir(join(folder, 'attributes'));
  const server = spawn(
    program,
    ['--port', address, '--quiet', 'posix', '--sidecar', join(folder, 'attributes'), data],
    {
      stdio: 'ignore',
      cwd: folder,
      env: {
        ...process.env,
        ...env,
        ROOT_ACCESS_KEY: credentials.accessKeyId,
        ROOT_SECRET_KEY: credentials.secretAccessKey,
      },
    },
  );
  atExit(() => server.kill());
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null && server.kill()) await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await answers(endpoint, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, region: 'us-east-1', ...credentials, bucket, folder: join(data, bucket), stop };
}

/** Returns the service's settings for it; `endpoint` is the address of a proxy, if any. */
export function s3Settings(s3: TestS3, endpoint = s3.endpoint): Record<`KW_S3_${string}`, string> {
  return {
    KW_S3_ENDPOINT: endpoint,
    KW_S3_REGION: s3.region,
    KW_S3_BUCKET: s3.bucket,
    KW_S3_ACCESS_KEY_ID: s3.accessKeyId,
    KW_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}
