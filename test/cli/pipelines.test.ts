import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPipelines, stepDefaults } from '../../cli/pipelines/read-pipelines.js';
import { newPipelineStepSchema } from '../../api/schemas/pipeline.js';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { createKw, type Kw } from '../support/service/kw.js';
import { createKwPlugins } from '../support/service/kw-plugins.js';

describe('kw with pipelines and plugins', function () {
  let core: TestCore;
  let kw: Kw;
  before(async () => {
    core = await startCore({ plugins: createKwPlugins().plugins });
    kw = createKw({ KW_URL: core.base, KW_API_KEY: core.adminKey });
  });
  after(() => core.stop());

  const file = (name: string, text: string): string => {
    writeFileSync(join(kw.folder, name), text);
    return name;
  };
  const pipelineFor = async (type: string): Promise<Answer['body']> => {
    const { body } = await core.call('GET', '/pipelines?limit=200');
    return body.items.find((pipeline: { trigger_type: string }) => pipeline.trigger_type === type);
  };
  const notes = `name: Notes
trigger_type: note
steps:
  - plugin_id: echo
    max_attempts: 7
---
# A second one.
name: Held
trigger_type: held
steps: [{ plugin_id: hold, backoff_seconds: 0.5 }]
`;

  it('uses the same defaults for a step as the API', () => {
    const { properties } = newPipelineStepSchema;
    for (const [name, value] of Object.entries(stepDefaults))
      assert.equal(properties[name as keyof typeof stepDefaults].default, value);
  });

  describe('pipelines apply', () => {
    it('shows what it would do, does it, and does nothing if nothing has changed', async () => {
      const path = file('notes.yaml', notes);
      const dry = await kw('pipelines', 'apply', path, '--dry-run');
      assert.equal(dry.code, 0, dry.stderr);
      assert.match(dry.stdout, /^note: would be created\n {2}\+ name: Notes$/m);
      const json = JSON.parse((await kw('pipelines', 'apply', path, '--dry-run', '--json')).stdout);
      const step = { plugin_id: 'echo', max_attempts: 7, backoff_seconds: 5, timeout_seconds: 300 };
      assert.deepEqual(json[0], {
        trigger_type: 'note',
        outcome: 'created',
        before: null,
        after: { name: 'Notes', trigger_type: 'note', steps: [step] },
      });
      assert.equal(await pipelineFor('note'), undefined);

      assert.equal((await kw('pipelines', 'apply', path)).stdout, 'note: created\nheld: created\n');
      const { updated_at: before } = await pipelineFor('note');
      assert.equal((await kw('pipelines', 'apply', path)).stdout, 'note: unchanged\nheld: unchanged\n');
      const applied = await pipelineFor('note');
      assert.equal(applied.updated_at, before);
      assert.deepEqual(applied.steps, [step]);
    });

    it('updates what differs, and shows the difference first', async () => {
      await kw('pipelines', 'apply', file('notes.yaml', notes));
      const { id } = await pipelineFor('note');
      const path = file('notes.yaml', notes.replace('7', '2').replace('name: Notes', 'name: Papers'));
      const dry = await kw('pipelines', 'apply', path, '--dry-run');
      assert.match(
        dry.stdout,
        /- name: Notes\n {2}\+ name: Papers[^]* {2}- {5}max_attempts: 7\n {2}\+ {5}max_attempts: 2/,
      );
      assert.equal((await kw('pipelines', 'apply', path)).stdout, 'note: updated\nheld: unchanged\n');
      const updated = await pipelineFor('note');
      assert.deepEqual([updated.id, updated.name, updated.steps[0].max_attempts], [id, 'Papers', 2]);
    });

    it('reads what it exports, as YAML and as JSON, including from standard input', async () => {
      await kw('pipelines', 'apply', file('notes.yaml', notes));
      const yaml = await kw('pipelines', 'export');
      const fed = await kw.fed(yaml.stdout, 'pipelines', 'apply', '-');
      assert.match(fed.stdout, /^(\w+: unchanged\n)+$/);
      const json = file('all.json', (await kw('pipelines', 'export', '--json')).stdout);
      assert.equal((await kw('pipelines', 'apply', json)).stdout, fed.stdout);
    });

    const mistakes: readonly [string, string, RegExp][] = [
      ['an alias without an anchor', '---\nname: A\nsteps: *nope\n', /^bad\.yaml:3: [^\n]*: nope\n$/],
      [
        'aliases that multiply each other',
        `a: &a [${'1, '.repeat(9)}]\nb: &b [${'*a, '.repeat(9)}]\nc: &c [${'*b, '.repeat(9)}]\nd: [${'*c, '.repeat(9)}]\n`,
        /^bad\.yaml: Excessive alias count[^\n]*\n$/,
      ],
      [
        'a value that contains itself',
        'name: A\nsteps: &a [*a]\n',
        /^bad\.yaml: A value contains itself\.\n$/,
      ],
      [
        'a merge of what is no mapping',
        '%YAML 1.1\n---\nname: A\n<<: 5\n',
        /^bad\.yaml: Merge sources [^\n]*\n$/,
      ],
      ['an empty file', '', /^bad\.yaml is empty\./],
      ['a part that is missing', 'name: A\nsteps: []\n', /^bad\.yaml:1: \/trigger_type: is missing$/m],
      [
        'a part of another kind',
        'name: A\ntrigger_type: a\nsteps:\n  - plugin_id: echo\n    max_attempts: "3"\n',
        /^bad\.yaml:5: \/steps\/0\/max_attempts: must be a number$/m,
      ],
      [
        'two pipelines for a type',
        `${notes}---\n${notes}`,
        /^bad\.yaml:13: \/trigger_type: bad\.yaml:1 also describes/m,
      ],
    ];
    const good = 'name: G\ntrigger_type: good\nsteps: [{ plugin_id: echo }]\n';
    for (const [what, text, message] of mistakes) {
      it(`finds ${what} and names the place`, async () => {
        const path = join(kw.folder, file('bad.yaml', text));
        await assert.rejects(
          readPipelines([join(kw.folder, file('good.yaml', good)), path]),
          (error: Error) => {
            assert.match(`${error.message.replaceAll(`${kw.folder}/`, '')}\n`, message);
            return true;
          },
        );
      });
    }

    it('refuses files with mistakes before anything is applied', async () => {
      const steps = 'steps:\n  - plugin_id: echo\n  - plugin_id: nosuch\n';
      for (const [text, message] of [
        ['name: [', /^bad\.yaml:1:\d+: /],
        [
          `${notes}colour: red\n`,
          /^bad\.yaml:11: \/colour: is not a field of a pipeline\nNothing was applied\.\n$/,
        ],
        [
          `name: A\ntrigger_type: a\n${steps}`,
          /^bad\.yaml:5: \/steps\/1\/plugin_id: the plugin nosuch is not registered\nNothing was applied\.\n$/,
        ],
      ] as const) {
        const paths = [file('good.yaml', good), file('bad.yaml', text)];
        const { code, stdout, stderr } = await kw('pipelines', 'apply', ...paths);
        assert.deepEqual([code, stdout], [1, ''], stderr);
        assert.match(stderr, message);
      }
      assert.equal(await pipelineFor('good'), undefined);
    });

    it("reports which of the API's limits are violated, and applies the other pipelines", async () => {
      const text = 'name: A\ntrigger_type: wild\nsteps:\n  - plugin_id: echo\n    timeout_seconds: -1\n---\n';
      const path = file('wild.yaml', `${text}name: B\ntrigger_type: tame\nsteps: [{ plugin_id: echo }]\n`);
      const { code, stdout, stderr } = await kw('pipelines', 'apply', path);
      assert.deepEqual([code, stdout], [1, 'tame: created\n']);
      assert.match(stderr, /^wild\.yaml:5: \/steps\/0\/timeout_seconds: .*VALIDATION_FAILED/m);
    });

    it('changes nothing that somebody else changed at the same time, and reports it', async () => {
      await kw('pipelines', 'apply', file('notes.yaml', notes));
      const { id } = await pipelineFor('note');
      // Stands before the API, and is quicker than the one who applies.
      const meddler = createServer((incoming, outgoing) => {
        const pass = (): void => {
          const { method, url, headers } = incoming;
          const onwards = httpRequest(`${core.base}${url}`, { method, headers }, (answer) => {
            outgoing.writeHead(answer.statusCode!, answer.headers);
            answer.pipe(outgoing);
          });
          incoming.pipe(onwards);
        };
        if (incoming.method !== 'PUT') pass();
        else void core.call('PUT', `/pipelines/${id}`, { steps: [{ plugin_id: 'hold' }] }).then(pass);
      });
      await new Promise<void>((listening) => meddler.listen(0, '127.0.0.1', listening));
      const url = `http://127.0.0.1:${(meddler.address() as AddressInfo).port}`;
      const path = file('notes.yaml', notes.replace('7', '9'));
      const { code, stderr } = await kw('pipelines', 'apply', path, '--url', url);
      meddler.closeAllConnections();
      meddler.close();
      assert.equal(code, 1);
      assert.match(stderr, /^notes\.yaml:1: note: .*\(PRECONDITION_FAILED\)$/m);
      assert.match(stderr, /Something changed in the meantime/);
      assert.equal((await pipelineFor('note')).steps[0].plugin_id, 'hold');
    });
  });

  it('lists, shows and deletes pipelines', async () => {
    const text = 'name: Shown\ntrigger_type: shown\nsteps: [{ plugin_id: hold, backoff_seconds: 0.5 }]\n';
    await kw('pipelines', 'apply', file('shown.yaml', text));
    assert.match((await kw('pipelines', 'ls')).stdout, /^shown +Shown +\S+ +hold$/m);
    assert.match((await kw('pipelines', 'show', 'shown')).stdout, /^ {3}0 {2}hold +3 +0\.5 s +300 s$/m);
    assert.equal((await kw('pipelines', 'rm', 'shown')).code, 2);
    assert.equal((await kw('pipelines', 'rm', 'shown', '--yes')).code, 0);
    const { code, stderr } = await kw('pipelines', 'show', 'shown');
    assert.deepEqual([code, /There is no pipeline for shown\. There are none\./.test(stderr)], [1, true]);
  });

  describe('plugins', () => {
    const ocr = 'id: ocr\nname: OCR\nkind: http\nendpoint: http://127.0.0.1:9/\n';

    it('registers one from a file, with its secret, and renews the secret', async () => {
      const first = await kw('plugins', 'register', file('ocr.yaml', ocr));
      assert.match(first.stdout, /^ocr: created\nsigning secret: whsec_\S+\n$/, first.stderr);
      const path = file('ocr.yaml', ocr.replace('OCR', 'Reads'));
      assert.equal((await kw('plugins', 'register', path)).stdout, 'ocr: updated\n');
      assert.match((await kw('plugins', 'show', 'ocr')).stdout, /^ {2}name +Reads/m);
      const bad = await kw('plugins', 'register', file('ocr.yaml', `${ocr}heartbeat_seconds: 0\n`));
      assert.deepEqual(
        [bad.code, /^ocr\.yaml:5: \/heartbeat_seconds: /m.test(bad.stderr)],
        [1, true],
        bad.stderr,
      );
      assert.equal((await kw('plugins', 'rm', 'ocr', '--yes')).code, 0);
    });

    it('lists them, deactivates and activates them, and shows which pipelines use one', async () => {
      assert.match((await kw('plugins', 'ls')).stdout, /^echo +built-in +1\.0\.0 +active /m);
      for (let twice = 0; twice < 2; twice += 1)
        assert.equal((await kw('plugins', 'disable', 'echo')).stdout, 'echo: inactive\n');
      assert.equal((await core.call('GET', '/plugins/echo')).body.is_active, false);
      assert.equal((await kw('plugins', 'enable', 'echo')).stdout, 'echo: active\n');
      await kw(
        'pipelines',
        'apply',
        file('echo.yaml', 'name: Echoes\ntrigger_type: e\nsteps: [{plugin_id: echo}]'),
      );
      const { code, stderr } = await kw('plugins', 'rm', 'echo', '--yes');
      assert.equal(code, 1);
      assert.match(stderr, /PLUGIN_IN_USE\)\n {2}pipelines: .*Echoes/);
    });

    it('shows the config of one without its secrets, which "config get" and --json print', async () => {
      const secretive =
        '{id: keyed, name: Keyed, kind: http, endpoint: "http://127.0.0.1:9/", config: {key: s3cret, size: 7},' +
        ' config_schema: {properties: {key: {type: string, writeOnly: true}}}}';
      assert.equal((await kw('plugins', 'register', file('keyed.yaml', secretive))).code, 0);
      assert.match(
        (await kw('plugins', 'show', 'keyed')).stdout,
        /^ {2}config +\{\n +"key": "\(hidden\)",\n +"size": 7\n +\}\n/m,
      );
      const config = { key: 's3cret', size: 7 };
      assert.deepEqual(JSON.parse((await kw('plugins', 'config', 'get', 'keyed')).stdout), config);
      assert.deepEqual(JSON.parse((await kw('plugins', 'show', 'keyed', '--json')).stdout).config, config);
      assert.equal((await kw('plugins', 'rm', 'keyed', '--yes')).code, 0);
    });

    it('replaces a config, and warns about mismatches', async () => {
      const config = '{"mark": 5, "__proto__": {"a": "\\ud800"}}';
      const { code, stdout, stderr } = await kw('plugins', 'config', 'set', 'echo', file('c.json', config));
      assert.deepEqual([code, stdout], [0, 'echo: config replaced\n']);
      assert.match(stderr, /^Warning: c\.json:1: \/mark: must be string$/m);
      assert.match(stderr, /^Warning: c\.json:1: \/__proto__: the config schema has no such field$/m);
      assert.equal(stderr.match(/^Warning/gm)?.length, 2, stderr);
      const read = await kw('plugins', 'config', 'get', 'echo');
      assert.deepEqual(JSON.parse(read.stdout), JSON.parse(config));
      assert.equal((await kw.fed('mark: "!"', 'plugins', 'config', 'set', 'echo', '-')).code, 0);
      const refused = await kw.fed('[1]', 'plugins', 'config', 'set', 'echo', '-');
      assert.deepEqual([refused.code, /INVALID_PLUGIN/.test(refused.stderr)], [1, true], refused.stderr);
    });
  });
});
