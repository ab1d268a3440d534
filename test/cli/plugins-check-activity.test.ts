import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { NativeConnection } from '@temporalio/worker';
import { checkActivityWorker, type RuleResult } from '@knowledge-warehouse/plugin/conformance/activity';
import { eventually } from '../support/eventually.js';
import { createKw } from '../support/service/kw.js';
import { startFaultyActivity, type ActivityFault } from '../support/workers/faulty-activity.js';
import { findPython } from '../support/servers/python.js';
import { startTemporal, type TestTemporal } from '../support/servers/temporal.js';

interface Worker {
  readonly reports: boolean;
  readonly faults: readonly ActivityFault[];
}

const contentOf = (content: string) => ({
  bytes: Buffer.from(content),
  media_type: 'text/plain; charset=utf-8',
});

const text = (content: string, ...inputs: readonly string[]) => ({
  source: contentOf(content),
  inputs: inputs.map((input) => ({ ...contentOf(input), type: 'text', content_type: 'text' as const })),
  config: {},
});

const ofStatus = (results: readonly RuleResult[], wanted: RuleResult['status']): string[] =>
  results.filter(({ status }) => status === wanted).map(({ name }) => name);

/**
 * Which worker, the rules that its faults break, and those that warn of them. No two faults of a worker break the same
 * rule.
 */
const workers: readonly (readonly [Worker, readonly string[], readonly string[]])[] = [
  [{ reports: false, faults: [] }, [], []],
  [{ reports: true, faults: [] }, [], []],
  [
    {
      reports: false,
      faults: [
        'leaves out the attempts used up',
        'works on though it is settled',
        'gives up a claim that was refused',
        'claims success without its source',
        'goes on after a cancel',
      ],
    },
    ['attempt-claimed', 'settled-respected', 'claim-repeated', 'failure-reported'],
    ['cancel-obeyed'],
  ],
  [
    {
      reports: false,
      faults: ['returns too much', 'never counts its attempts', 'takes half of a content for all of it'],
    },
    ['result-valid', 'attempt-claimed', 'failure-reported', 'oversize-content'],
    [],
  ],
  [{ reports: true, faults: ['reports and returns as well'] }, ['one-outcome'], []],
  [{ reports: true, faults: ['reports a success and throws'] }, ['one-outcome'], []],
  [{ reports: true, faults: ['forgets a report that was refused'] }, ['report-retried'], []],
  [{ reports: false, faults: ['returns what is no result'] }, ['success-reported', 'result-valid'], []],
  [{ reports: false, faults: ['returns one artifact'] }, ['success-reported', 'result-valid'], []],
  [{ reports: false, faults: ['reads without its token'] }, ['success-reported', 'token-used'], []],
];

describe('kw plugins check --activity', () => {
  let temporal: TestTemporal;
  let connection: NativeConnection;
  before(async () => {
    temporal = await startTemporal();
    connection = await NativeConnection.connect({ address: temporal.config.address });
  });
  after(() => connection.close());

  describe('names the rules that a worker breaks, and no others', () => {
    const some = pLimit(5);
    const checked = new Map<number, Promise<readonly RuleResult[]>>();
    before(() => {
      for (const [index, [worker]] of workers.entries())
        checked.set(
          index,
          some(() => check(worker, `check-${index}`)),
        );
    });

    for (const [index, [{ reports, faults }, broken, warned]] of workers.entries()) {
      it(`${faults.join(', ') || 'nothing wrong'}, ${reports ? 'reports' : 'returns'}`, async () => {
        const results = await checked.get(index)!;
        const seen = [ofStatus(results, 'failed'), ofStatus(results, 'warning')];
        assert.deepEqual(seen, [broken, warned], JSON.stringify(results, null, 2));
      });
    }
  });

  it('starts and tests a worker in another language that registers itself', async () => {
    const { python } = await findPython();
    // The command fails after the check has begun, and leaves the worker running.
    const start = `${python} ${resolve('plugins/examples/python-activity/worker.py')} & echo $! > pid; read line < begun; exit 3`;
    const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = temporal.env;
    const kw = createKw({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE });
    execFileSync('mkfifo', [join(kw.folder, 'begun')]);
    const checking = kw.shellTerminal(`kw plugins check --activity --start '${start}' --json > report.json`);
    await eventually(() => checking.said.stdout.includes('…'));
    writeFileSync(join(kw.folder, 'begun'), 'yes\n');
    await checking.ended;
    process.kill(Number(readFileSync(join(kw.folder, 'pid'), 'utf8')));
    const stdout = readFileSync(join(kw.folder, 'report.json'), 'utf8');
    const { passed, rules } = JSON.parse(stdout) as { passed: boolean; rules: RuleResult[] };
    assert.equal(passed, true, stdout);
    const kept = ofStatus(rules, 'passed');
    for (const name of [
      'success-reported',
      'attempt-claimed',
      'settled-respected',
      'claim-repeated',
      'failure-reported',
    ])
      assert.ok(kept.includes(name), stdout);
  });

  it('ends when the worker that it started fails', async () => {
    const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = temporal.env;
    const command = ['dist/bin/kw.js', 'plugins', 'check', '--activity', '--start', 'exit 3'];
    const env = { PATH: process.env['PATH'], TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE };
    const failed = await promisify(execFile)(process.execPath, command, { env }).catch(
      (error: unknown) => error as { readonly code?: number; readonly stderr: string },
    );
    assert.deepEqual(
      ['code' in failed && failed.code, failed.stderr],
      [1, 'The command of --start ended with code 3.\n'],
    );
  });

  it('explains what to do if no worker polls', async () => {
    const options = { ...optionsFor('check-nobody'), patienceMs: 500 };
    await assert.rejects(checkActivityWorker(options), /no worker polls the task queue check-nobody/);
  });

  const optionsFor = (taskQueue: string): Parameters<typeof checkActivityWorker>[0] => ({
    material: text('One two, two.', 'Three.'),
    failing: [text('')],
    timeoutMs: 30_000,
    patienceMs: 60_000,
    listen: { host: '127.0.0.1', port: 0 },
    publicUrl: undefined,
    connection,
    namespace: temporal.config.namespace,
    routing: {
      pluginId: 'capitals',
      taskQueue,
      activityType: 'capitals',
      heartbeatSeconds: 30,
      cleanUpType: null,
    },
  });

  async function check(worker: Worker, taskQueue: string): Promise<readonly RuleResult[]> {
    const stop = await startFaultyActivity(temporal.config, taskQueue, worker);
    try {
      return await checkActivityWorker(optionsFor(taskQueue));
    } finally {
      await stop();
    }
  }
});
