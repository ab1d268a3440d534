import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { startOtlpReceiver, type OtlpReceiver } from '../support/network/otlp-receiver.js';
import { reservePort } from '../support/servers/ports.js';
import { s3Settings, startS3, type TestS3 } from '../support/servers/s3.js';
import { startTemporal } from '../support/servers/temporal.js';
import { startStack, type TestStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';
import { healthCheck } from './health-check.js';
import { describeLoginLink } from './login-link.js';
import { describeMetrics } from './metrics.js';
import { describeSecrets, secretSettings } from './secrets.js';
import { describeTrace } from './trace.js';

const top = new URL('../..', import.meta.url).pathname;

describe('npm start with an external Temporal and S3, metrics, traces and secrets', () => {
  let s3: TestS3;
  let receiver: OtlpReceiver;
  let stack: TestStack;
  let ours: string;
  let temporal: string;
  /** Whether its files existed when it first said that it is ready. */
  let files: readonly boolean[];

  before(async () => {
    const [external, port, ...ports] = await Promise.all([
      startTemporal(),
      reservePort(),
      reservePort(),
      reservePort(),
      (async () => (s3 = await startS3()))(),
      (async () => (receiver = await startOtlpReceiver()))(),
    ]);
    [ours, temporal] = [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`];
    const dataDir = join(temporaryFolder(), 'data');
    const becomesReady = async (): Promise<boolean[]> => {
      const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
      await eventually(isReady, { intervalMs: 5 });
      return ['admin-key', 'stack.json'].map((name) => existsSync(join(dataDir, name)));
    };
    const env = {
      ...external.env,
      ...s3Settings(s3),
      ...secretSettings(),
      KW_WORKER_METRICS_ADDRESS: ours,
      KW_TEMPORAL_METRICS_ADDRESS: temporal,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    };
    [stack, files] = await Promise.all([startStack({ dataDir, port, env }), becomesReady()]);
  });
  after(async () => {
    await stack.stop();
    await Promise.all([receiver.stop(), s3.stop()]);
  });

  it('starts no Temporal, but PostgreSQL', () => {
    const processes = Object.keys(stack.stack().processes).sort();
    assert.deepEqual(processes, ['api', 'postgres', 'supervisor', 'worker']);
  });

  it('answers the probes once its files exist', async () => {
    assert.deepEqual(files, [true, true]);
    const { supervisor } = stack.stack().processes;
    // It makes what is missing here, such as the secret.
    const settings = { PATH: process.env['PATH'] ?? '', PORT: String(stack.port) };
    assert.equal(await healthCheck(supervisor!, settings), 'healthy');
  });

  describeLoginLink(() => stack);
  describeMetrics(() => ({ stack, ours, temporal }));
  describeSecrets(() => ({ stack, s3, receiver }));
  describeTrace(() => ({ stack, receiver }));
});

describe('a process without tracing', () => {
  it('does not load the OpenTelemetry SDK', () => {
    const script = `
      import { createRequire } from 'node:module';
      await import('./dist/api/app.js');
      await import('./dist/activities/worker.js');
      const { startTracing } = await import('./dist/runtime/tracing/index.js');
      const tracing = await startTracing(null, 'api', null);
      const loaded = Object.keys(createRequire(import.meta.url).cache ?? {});
      console.log(JSON.stringify([tracing, loaded.filter((path) => /@opentelemetry\\/(?!api\\/)|interceptors-opentelemetry/.test(path))]));
      process.exit();`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: top });
    assert.deepEqual(JSON.parse(output.toString()), [null, []]);
  });
});
