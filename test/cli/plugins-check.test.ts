import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { checkWorker, type CheckOptions, type RuleResult } from '@knowledge-warehouse/plugin/conformance';
import { readReport } from '../../packages/plugin/src/conformance/read-report.js';
import { newSigningSecret } from '@knowledge-warehouse/plugin/signing';
import { atExit } from '../support/at-exit.js';
import { startFaultyWorker, type Fault } from '../support/workers/faulty-worker.js';
import { portOf } from '../support/servers/port-of.js';
import { temporaryFolder } from '../support/temporary.js';

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const secret = newSigningSecret();
const text = { bytes: Buffer.from('One two, two.'), media_type: 'text/plain; charset=utf-8' };

const optionsFor = (endpoint: string): CheckOptions => ({
  endpoint,
  secret,
  material: { source: text, inputs: [], config: {} },
  failing: [],
  pluginId: 'capitals',
  // Of no meaning for workers that answer, and those of this file share a processor.
  timeoutMs: 20_000,
  heartbeatSeconds: 30,
  listen: { host: '127.0.0.1', port: 0 },
  publicUrl: undefined,
});

const ofStatus = (results: readonly RuleResult[], wanted: RuleResult['status']): string[] =>
  results.filter(({ status }) => status === wanted).map(({ name }) => name);

/** What the faults of each worker break, and what warns of them; nothing else does. No two of them break the same rule. */
const workers: readonly (readonly [readonly Fault[], readonly string[], (readonly string[])?])[] = [
  [
    [
      'skips the signature',
      'takes any protocol',
      'never reports again',
      'reports percents',
      'fails its clean-up',
      'takes every step for the same',
      'goes on when it is told to stop',
    ],
    [
      'signature-required',
      'stale-timestamp-refused',
      'unknown-protocol',
      'report-retried',
      'progress-valid',
      'cleanup-answered',
      'other-attempts',
      'stops-when-closed',
      'cancel-obeyed',
    ],
  ],
  [
    [
      'takes stale messages',
      'looks at one signature alone',
      'takes every attempt for the same',
      'reports large content inline',
      'claims success without its source',
    ],
    [
      'stale-timestamp-refused',
      'signature-rotation',
      'other-attempts',
      'oversize-content',
      'failure-reported',
    ],
  ],
  [
    [
      'breaks down at what it does not know',
      'works twice on a duplicate',
      'uploads what is not valid',
      'beats too seldom',
      'works on after a cancel',
    ],
    ['signature-required', 'duplicate-delivery', 'oversize-content', 'heartbeats-kept'],
    ['cancel-obeyed'],
  ],
  [
    ['takes every run for the same', 'reports a failure after its success', 'keeps silent about failures'],
    ['other-attempts', 'one-outcome', 'failure-reported'],
  ],
  [
    ['works as well on a duplicate', 'knows no cancellation'],
    ['duplicate-delivery', 'cancel-answered', 'cancel-obeyed'],
  ],
  [
    ['forgets steps that come together', 'gives endless details of a failure'],
    ['concurrent-steps', 'report-valid', 'failure-reported'],
  ],
  [['answers with an invalid report'], ['answers-in-form', 'success-reported', 'report-valid']],
  [['reads without its token'], ['success-reported', 'token-used']],
  [['names no media type'], ['success-reported', 'report-valid']],
];

describe('kw plugins check', () => {
  describe('names the rules that a worker breaks, and no others', () => {
    // A check waits more than it works; more at once would keep each other from answering in time.
    const some = pLimit(7);
    const checked = new Map<readonly Fault[], Promise<readonly RuleResult[]>>();
    before(() => {
      for (const [faults] of workers)
        checked.set(
          faults,
          some(() => checkFaulty(...faults)),
        );
    });

    for (const [faults, broken, warned = []] of workers) {
      it(faults.join(', '), async () => {
        const results = await checked.get(faults)!;
        assert.deepEqual(
          [ofStatus(results, 'failed').sort(), ofStatus(results, 'warning')],
          [[...broken].sort(), warned],
          JSON.stringify(
            results.filter(({ status }) => status === 'failed'),
            null,
            2,
          ),
        );
      });
    }
  });

  it('says which keys of a report exclude each other', () => {
    const artifact = { type: 'text', content_type: 'text', content: 'a', upload_id: 'u' };
    const { faults } = readReport(Buffer.from(JSON.stringify({ status: 'SUCCESS', artifact })), {
      uploads: new Map(),
    });
    assert.deepEqual(faults, ['/artifact has two keys of which only one is allowed']);
  });

  describe('passes the examples', () => {
    const folder = temporaryFolder();
    const file = (name: string, content: string | Buffer): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    // Each passes only when it is given what stands here.
    const examples = [
      {
        name: 'python-http',
        command: ['python3', 'worker.py'],
        options: [
          '--source',
          file('no-text', Buffer.from([0xff])),
          '--input',
          `text=${file('text.txt', 'One')}`,
        ],
      },
      {
        name: 'typescript-http',
        command: [process.execPath, '--import', 'tsx', 'worker.ts'],
        options: [
          ...['--config', file('config.json', '{"depth": 1}')],
          ...['--failing-config', file('failing.json', '{"depth": "all"}')],
        ],
      },
    ] as const;
    const checked = new Map<string, Promise<Result>>();
    before(() => {
      for (const { name, command, options } of examples)
        checked.set(name, checkExample(name, command, options));
    });

    for (const { name } of examples) {
      it(name, async () => {
        const { code, stdout } = await checked.get(name)!;
        const { rules } = JSON.parse(stdout) as { rules: RuleResult[] };
        const others = rules.filter(({ status }) => status !== 'passed');
        assert.deepEqual([code, others], [0, []]);
      });
    }
  });

  describe('on the command line', () => {
    it('shows what was expected, what was seen and where it is documented, and exits with 1', async () => {
      const worker = await startFaultyWorker(secret, 'takes any protocol');
      const { code, stdout } = await kw('check', worker.endpoint);
      await worker.stop();
      assert.equal(code, 1);
      const [, expected, seen, see] = stdout.slice(stdout.indexOf('✗ unknown-protocol')).split('\n');
      assert.match(expected!, /expected +a 4xx/);
      assert.match(seen!, /seen +202/);
      assert.match(see!, /see +docs\/plugins\.md#the-protocol-of-http-workers/);
      assert.match(stdout, /\d+ rules: \d+ passed, 1 failed, 1 not applicable\n$/);
    });

    const refused: readonly (readonly [string, readonly string[], number, RegExp])[] = [
      ['a worker that is not there', ['http://127.0.0.1:1/'], 1, /^Nothing answers at http:.*ECONNREFUSED/],
      ['an endpoint that is no URL', ['localhost'], 2, /^localhost is not the http or https URL/],
      [
        'a missing endpoint',
        [],
        2,
        /^Give the endpoint of an HTTP worker, or --activity for an activity worker\.\n$/,
      ],
      ['a secret of another form', ['http://127.0.0.1:1/', '--secret', 'x'], 2, /^The secret must be whsec_/],
      [
        'a file that is missing',
        ['http://127.0.0.1:1/', '--source', 'nowhere'],
        1,
        /^nowhere cannot be read/,
      ],
    ];
    for (const [what, args, exit, message] of refused) {
      it(`refuses ${what}`, async () => {
        const { code, stderr } = await kw('check', ...args);
        assert.equal(code, exit);
        assert.match(stderr, message);
      });
    }
  });
});

async function checkFaulty(...given: Fault[]): Promise<readonly RuleResult[]> {
  const worker = await startFaultyWorker(secret, ...given);
  try {
    const hurried = given.includes('beats too seldom') ? { heartbeatSeconds: 0.3 } : {};
    return await checkWorker({ ...optionsFor(worker.endpoint), ...hurried });
  } finally {
    await worker.stop();
  }
}

/** Starts a worker of plugins/examples and has it checked. */
async function checkExample(
  name: string,
  [program, ...args]: readonly [string, ...string[]],
  options: readonly string[],
): Promise<Result> {
  const worker = spawn(program, args, {
    cwd: `plugins/examples/${name}`,
    env: { PATH: process.env['PATH'], PORT: '0', KW_SIGNING_SECRET: secret },
    stdio: 'pipe',
  });
  atExit(() => worker.kill('SIGKILL'));
  try {
    const endpoint = `http://127.0.0.1:${await portOf(worker)}/`;
    return await kw('check', endpoint, '--json', '--heartbeat-seconds', '30', '--timeout', '120', ...options);
  } finally {
    worker.kill('SIGKILL');
  }
}

async function kw(...args: string[]): Promise<Result> {
  const env = { PATH: process.env['PATH'], KW_SIGNING_SECRET: secret };
  try {
    const command = ['dist/bin/kw.js', 'plugins', ...args];
    return { code: 0, ...(await promisify(execFile)(process.execPath, command, { env })) };
  } catch (error) {
    return error as Result;
  }
}
