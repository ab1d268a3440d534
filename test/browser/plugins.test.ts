import assert from 'node:assert/strict';
import type { Locator, Page, Route } from 'playwright-core';
import { createApiKey } from '../../storage/auth/api-keys.js';
import type { RestClient } from '../support/service/rest-client.js';
import { eventually } from '../support/eventually.js';
import { clickTwice } from '../support/browser/interactions.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebApi, type WebApi } from '../support/browser/web-service.js';
import type { WebPage } from '../support/browser/web-page.js';

const configSchema = {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string', title: 'Model' },
    sentences: { type: 'integer', title: 'Sentences', minimum: 1, maximum: 20, default: 5 },
    language: { type: 'string', title: 'Language', enum: ['English', 'Dutch'] },
    bullets: { type: 'boolean', title: 'As a list', default: false },
    leave_out: { type: 'array', items: { type: 'string' }, minItems: 2, title: 'Leave out' },
    formats: { type: 'array', items: { enum: ['HTML', 'PDF'] }, uniqueItems: true, minItems: 2 },
    api_key: { type: 'string', title: 'Token', writeOnly: true },
    sampling: {
      type: 'object',
      title: 'Sampling',
      properties: { temperature: { type: 'number', maximum: 2 } },
    },
  },
};

describe('plugins in a browser', () => {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: WebApi;
  let client: RestClient;
  let web: WebPage;
  let page: Page;
  let made = 0;

  before(async () => {
    // What Temporal knows of the workers.
    const readPolling = (queue: string) =>
      Promise.resolve({ pollers: queue === 'unread' ? 0 : 2, lastPolledAt: new Date() });
    service = await startWebApi({ workflows: { readPolling } });
    ({ client } = service);
  });
  after(() => service.stop());

  const open = async (path: string): Promise<void> => {
    web = await browser.open(service, path);
    page = web.page;
  };
  const register = async (more: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const id = `summaries-${++made}`;
    const worker = { kind: 'http', endpoint: 'https://summaries.example.com/steps' };
    await client.expect(201, 'POST', '/plugins', { id, name: `Summaries ${made}`, ...worker, ...more });
    return id;
  };
  const stored = (id: string): Promise<any> => client.expect(200, 'GET', `/plugins/${id}`);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const saveConfig = async (): Promise<void> => {
    await button('Save config').click();
    await page.getByText(/^The config was saved/).waitFor();
    await button('Dismiss').click();
    await page.getByText(/^The config was saved/).waitFor({ state: 'hidden' });
  };

  it('are listed, each with its health', async () => {
    const idle = { kind: 'activity', task_queue: 'unread', activity_type: 'translate', endpoint: undefined };
    const id = await register({ name: 'Translation', ...idle });
    const off = await register({ name: 'Switched off' });
    await client.expect(200, 'PUT', `/plugins/${off}/toggle`);
    await open('/plugins');
    const card = (name: string): Locator =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    await card('Extract text').getByText('2 workers polling').waitFor();
    await card('Translation').getByText('No worker polls').waitFor();
    await card('Switched off').getByText('Inactive').waitFor();
    await card('Translation').getByRole('link').click();
    await page.getByText('Start a worker on the task queue “unread”.').waitFor();
    await client.expect(204, 'DELETE', `/plugins/${id}`);
    web.assertQuiet();
  });

  it('have a form for the fields they declare, and omitted fields stay omitted', async () => {
    const id = await register({ config_schema: configSchema });
    await open(`/plugins/${id}`);
    assert.equal(await button('Save config').getAttribute('aria-description'), 'Nothing has changed yet.');
    await page.getByLabel('Model').fill('small-2');
    await page.getByLabel('Sentences').fill('7');
    await page.getByLabel('Language').selectOption('Dutch');
    await page.getByLabel('As a list').selectOption('Yes');
    await page.getByLabel('Leave out').pressSequentially(' Notes\n\nContents \n');
    await page.getByLabel('Token').fill('s3cret');
    await page.getByRole('group', { name: 'Sampling' }).getByLabel('temperature').fill('0.5');
    await saveConfig();
    const config = {
      model: 'small-2',
      sentences: 7,
      language: 'Dutch',
      bullets: true,
      leave_out: ['Notes', 'Contents'],
      api_key: 's3cret',
      sampling: { temperature: 0.5 },
    };
    assert.deepEqual((await stored(id)).config, config);
    const temperature = page.getByLabel('temperature');
    await temperature.fill('');
    for (const typed of ['-', '-.', '-.5', '-.5x']) {
      await temperature.fill(typed);
      assert.equal(await temperature.inputValue(), typed);
      const isNumber = typed === '-.5';
      assert.equal(await temperature.getAttribute('aria-invalid'), isNumber ? null : 'true', typed);
      assert.equal(
        await button('Save config').getAttribute('aria-description'),
        isNumber ? null : 'A field contains text that is not valid.',
        typed,
      );
    }
    await temperature.fill('-5e-1');
    await page.getByLabel('Sentences').fill('1.5');
    await page.getByText('Instance type "number" is invalid. Expected "integer".').waitFor();
    await page.getByLabel('Sentences').fill('12');
    await saveConfig();
    const { sentences, sampling } = (await stored(id)).config;
    assert.deepEqual([sentences, sampling], [12, { temperature: -0.5 }]);
    const { sentences: _left, sampling: _out, ...rest } = config;
    await page.getByLabel('Sentences').fill('');
    await page.getByLabel('temperature').fill('');
    await saveConfig();
    assert.deepEqual((await stored(id)).config, rest);
    web.assertQuiet();
  });

  it('show a list as JSON if its texts would not survive as lines', async () => {
    const lists = {
      separators: ['\n\n', '\n', '. '],
      breaks: ['a\nb'],
      returns: ['a\rb'],
      spaces: [' a'],
      blanks: ['a', ''],
    };
    const config = { ...lists, plain: ['Notes', 'The end'] };
    const list = { type: 'array', items: { type: 'string' } };
    const properties = Object.fromEntries(Object.keys(config).map((name) => [name, list]));
    const id = await register({ config_schema: { type: 'object', properties }, config });
    await open(`/plugins/${id}`);
    assert.equal(await page.getByLabel('plain').inputValue(), 'Notes\nThe end');
    for (const [name, texts] of Object.entries(lists))
      assert.deepEqual(JSON.parse(await page.getByLabel(name).inputValue()), texts, name);
    await page.getByLabel('separators').fill('["\\n\\n", ". "]');
    await saveConfig();
    assert.deepEqual((await stored(id)).config, { ...config, separators: ['\n\n', '. '] });
    web.assertQuiet();
  });

  it('lose text that is not valid when changes are undone, even if it is the only change', async () => {
    const id = await register({ config_schema: configSchema, config: { model: 'a', sentences: 5 } });
    await open(`/plugins/${id}`);
    const [model, sentences] = [page.getByLabel('Model'), page.getByLabel('Sentences')];
    for (const typed of ['a', 'b']) {
      await model.fill(typed);
      await sentences.fill('5x');
      assert.equal(await page.getByRole('radio', { name: 'JSON' }).isEnabled(), false);
      await button('Undo changes').click();
      await button('Undo changes').waitFor({ state: 'detached' });
      assert.deepEqual([await model.inputValue(), await sentences.inputValue()], ['a', '5']);
      assert.equal(await sentences.getAttribute('aria-invalid'), null);
      assert.equal(await button('Save config').getAttribute('aria-description'), 'Nothing has changed yet.');
      assert.equal(await page.getByRole('radio', { name: 'JSON' }).isEnabled(), true);
    }
    web.assertQuiet();
  });

  it('take no text while their config is being saved, because the saved one would replace it', async () => {
    const id = await register({ config_schema: configSchema });
    await open(`/plugins/${id}`);
    const model = page.getByLabel('Model');
    await model.fill('small-2');
    let held: Route | undefined;
    await page.route('**/config', (route) => void (held = route));
    await button('Save config').click();
    const saving = await eventually(() => held);
    const type = async (): Promise<void> => {
      await model.focus();
      await page.keyboard.type('zz');
    };
    await type();
    assert.equal(await model.inputValue(), 'small-2');
    await saving.continue();
    await page.getByText('The config was saved').waitFor();
    await type();
    assert.match(await model.inputValue(), /zz/);
    assert.equal((await stored(id)).config.model, 'small-2');
    web.assertQuiet();
  });

  it('accept a config as JSON, reject invalid JSON, and warn about unexpected fields', async () => {
    const id = await register({ config_schema: configSchema });
    await open(`/plugins/${id}`);
    await page.getByText('JSON', { exact: true }).click();
    const json = page.getByLabel('Config as JSON');
    await json.fill('{"model": ');
    await page.getByText(/Unexpected end of JSON input/).waitFor();
    assert.equal(await button('Save config').getAttribute('aria-description'), 'It is not a JSON object.');
    await json.fill('[1]');
    await page.getByText('A config is a JSON object: { … }.').waitFor();
    const few = { leave_out: ['Notes'], formats: ['HTML'] };
    const config = { model: 'small-2', sentences: 40, more: true, ...few };
    await json.fill(JSON.stringify(config));
    await saveConfig();
    const warning = page.getByRole('status').filter({ hasText: 'it does not match the plugin’s schema' });
    assert.match(await warning.innerText(), /sentences must be <= 20/);
    const sentences = page.getByLabel('Sentences');
    await page.getByText('Form', { exact: true }).click();
    assert.equal(await sentences.getAttribute('aria-invalid'), 'true');
    await page.getByText('must be <= 20', { exact: true }).waitFor();
    assert.deepEqual((await stored(id)).config, config);

    await page.getByText('Also set (edit as JSON): more.').waitFor();
    await sentences.fill('21');
    await saveConfig();
    assert.equal(await page.getByText('21 is greater than 20.').innerText(), '21 is greater than 20.');
    const tooFew = 'Array has too few items (1 < 2).';
    assert.deepEqual(await page.getByText(tooFew).allInnerTexts(), [tooFew, tooFew]);
    await sentences.fill('4');
    await page.getByLabel('Leave out').fill('Notes\nContents');
    await page.getByRole('checkbox', { name: 'PDF' }).check();
    assert.equal(await sentences.getAttribute('aria-invalid'), null);
    await saveConfig();
    await warning.waitFor({ state: 'hidden' });
    const enough = { leave_out: ['Notes', 'Contents'], formats: ['HTML', 'PDF'] };
    assert.deepEqual((await stored(id)).config, { ...config, sentences: 4, ...enough });
    web.assertQuiet();
  });

  it('never show a secret, and keep it until another one is entered, in the form and as JSON', async () => {
    const token = { type: 'string', title: 'Token', writeOnly: true };
    const [one, two] = [
      { host: 'one', token: 'first-s3cret' },
      { host: 'two', token: 'second-s3cret' },
    ];
    const id = await register({
      config: { token: 'top-s3cret', model: 'a', sites: [one, two] },
      config_schema: {
        type: 'object',
        properties: {
          token: { $ref: '#/$defs/token' },
          model: { type: 'string', title: 'Model' },
          sites: {
            type: 'array',
            items: { type: 'object', properties: { host: { type: 'string' }, token } },
          },
        },
        $defs: { token },
      },
    });
    await open(`/plugins/${id}`);
    const top = page.getByRole('textbox', { name: 'Token' }).first();
    const assertHidden = async (): Promise<void> => {
      const shown = await page.locator('#main').evaluate((main) => {
        const all = [
          ...(main as unknown as { querySelectorAll(of: string): { value: string }[] }).querySelectorAll(
            'input, textarea',
          ),
        ];
        return (main as unknown as { innerHTML: string }).innerHTML + all.map(({ value }) => value).join();
      });
      assert.doesNotMatch(shown, /s3cret/);
    };
    await page.getByText('It is kept unless you type a new one.').first().waitFor();
    await assertHidden();
    await page.getByLabel('Model').fill('b');
    // A secret stays with its item when the one before it goes.
    await button('Remove').first().click();
    await top.fill('new');
    await top.fill('');
    await saveConfig();
    assert.deepEqual((await stored(id)).config, { token: 'top-s3cret', model: 'b', sites: [two] });

    await top.fill('another');
    await saveConfig();
    assert.equal((await stored(id)).config.token, 'another');
    await button('Remove the secret').first().click();
    await page.getByText('The stored secret is removed when you save.').waitFor();
    await saveConfig();
    assert.deepEqual((await stored(id)).config, { model: 'b', sites: [two] });

    await page.getByText('JSON', { exact: true }).click();
    const json = page.getByLabel('Config as JSON');
    const text = await json.inputValue();
    assert.deepEqual(JSON.parse(text).sites, [{ host: 'two', token: '(kept: /sites/0/token)' }]);
    await assertHidden();
    await json.fill(text.replace('"two"', '"three"'));
    await saveConfig();
    assert.deepEqual((await stored(id)).config.sites, [{ host: 'three', token: 'second-s3cret' }]);
    web.assertQuiet();
  });

  describe('with an unusual schema', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };
    const many = (count: number, of: (at: number) => object): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, of(at)]));
    const bomb = many(8, (at) => ({
      type: 'object',
      properties: many(6, () => ({ $ref: `#/$defs/p${Math.min(at + 1, 7)}` })),
    }));
    const name = { type: 'string', title: 'Plain name' };
    const withName = (more: object, others: object = {}): object => ({
      type: 'object',
      properties: { name, ...more },
      ...others,
    });
    const asJson = 'Edit the config as JSON';
    const choice = { enum: Array.from({ length: 1_500 }, (_, at) => `choice ${at}`) };
    const everything = withName(
      {
        child: { $ref: '#' },
        children: { type: 'array', items: { $ref: '#' } },
        circle: { $ref: '#/$defs/circle' },
        tree: { $dynamicRef: '#node' },
        deep: nested(28),
        choice,
        unknown: { 'x-y': [{}], widget: 'script', 'ui:widget': 'hidden' },
        constructor: name,
        toString: { type: 'integer' },
        'a/b.c~d': {},
        '': true,
        never: { allOf: [{ type: 'string' }, { type: 'integer' }, false], not: {} },
        tuple: { type: 'array', prefixItems: [name] },
        map: { type: 'object', additionalProperties: name },
        slow: { type: 'string', pattern: '^(a+)+$', title: 'Slow' },
        options: { oneOf: [true, { $ref: '#' }, { type: 'null' }] },
      },
      {
        $dynamicAnchor: 'node',
        $defs: { circle: { anyOf: [{ $ref: '#/$defs/circle' }] } },
        'ui:field': 'x',
        z: 1,
      },
    );
    const strange: readonly (readonly [string, unknown, string | null])[] = [
      ['none', null, `This plugin declares no config schema. ${asJson}`],
      ['boolean', true, `has no fields that a form can show. ${asJson}`],
      [
        'exponential',
        { ...withName({ a: { $ref: '#/$defs/p0' } }), $defs: bomb },
        `too large for a form. ${asJson}`,
      ],
      ['everything', everything, null],
    ];
    for (const [what, config_schema, note] of strange) {
      it(`do not break the page, as a form or as JSON: ${what}`, async () => {
        // On a busy machine the service may not understand a schema within its two seconds.
        const plugin = { name: `With ${what}`, config_schema, config: { other: [{}] } };
        const id = await eventually(() => register(plugin));
        await open(`/plugins/${id}`);
        await page.getByRole('heading', { name: `With ${what}`, level: 1 }).waitFor();
        if (note === null) {
          await page.getByLabel('Slow').fill(`${'a'.repeat(40)}!`);
          await page.getByLabel('Plain name').first().fill(what);
          // The service would check it for two seconds.
          await page.getByLabel('Slow').fill('');
        } else {
          await page.getByText(note).waitFor();
          await page.getByLabel('Config as JSON').fill(`{"name": "${what}", "other": [{}]}`);
        }
        await saveConfig();
        const { config } = await stored(id);
        assert.deepEqual([config.name, config.other], [what, [{}]]);
        web.assertQuiet();
      });
    }
  });

  it('have a form for nested lists and alternative schemas, which works by keyboard only', async () => {
    const option = (kind: string, field: string): object => ({
      type: 'object',
      title: kind,
      properties: { kind: { const: kind, title: 'Kind' }, [field]: { type: 'string', title: field } },
      required: ['kind'],
    });
    const id = await register({
      config_schema: {
        type: 'object',
        properties: {
          limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], title: 'Limit', default: null },
          store: { oneOf: [option('Folder', 'Path'), option('Server', 'Host')], title: 'Store' },
          rules: {
            type: 'array',
            title: 'Rules',
            items: { type: 'object', properties: { word: { type: 'string', title: 'Word' } } },
          },
          free: { title: 'Free' },
        },
      },
    });
    await open(`/plugins/${id}`);
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByLabel('Limit').focus();
    await press('7', 'Tab');
    await page.getByLabel('Store').selectOption('Server');
    await page.getByLabel('Host').fill('one');
    await page.getByRole('group', { name: 'Rules' }).getByRole('button', { name: 'Add' }).focus();
    await press('Enter');
    await page.getByLabel('Word').focus();
    await press('x');
    const free = page.getByLabel('Free');
    await free.fill('[1,');
    assert.equal(
      await button('Save config').getAttribute('aria-description'),
      'A field contains text that is not valid.',
    );
    await free.fill('{"b": 1}');
    await saveConfig();
    await free.fill('{"b": 1, "a": {}}');
    await saveConfig();
    const { config } = await stored(id);
    assert.deepEqual(
      [config.limit, config.store.Host, config.rules, config.free],
      [7, 'one', [{ word: 'x' }], { b: 1, a: {} }],
    );
    web.assertQuiet();
  });

  it('reject a config that is too large, with the error next to it', async () => {
    const id = await register();
    await open(`/plugins/${id}`);
    await page.getByLabel('Config as JSON').fill(JSON.stringify({ text: 'x'.repeat(300_000) }));
    await button('Save config').click();
    const refusal = page.getByRole('alert');
    await refusal.waitFor();
    assert.match(await refusal.innerText(), /too large|at most|larger/i);
    assert.deepEqual((await stored(id)).config, {});
    web.assertQuiet(400, 413, 422);
  });

  it('are not overwritten if somebody configured them meanwhile, unless the user wants that', async () => {
    const id = await register({ config_schema: configSchema });
    await open(`/plugins/${id}`);
    await page.getByLabel('Model').fill('mine');
    const their = { model: 'theirs', api_key: 'leaked' };
    await client.expect(200, 'PUT', `/plugins/${id}/config`, { config: their });
    await button('Save config').click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('Changed by someone else').waitFor();
    assert.equal((await stored(id)).config.model, 'theirs');
    await page.getByLabel('Sentences').fill('5x');
    await button('Discard my changes').click();
    await refusal.waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Model').inputValue(), 'theirs');
    assert.equal(await page.getByLabel('Sentences').inputValue(), '');

    await page.getByLabel('Model').fill('mine after all');
    const config = { model: 'theirs again', api_key: 'rotated' };
    await client.expect(200, 'PUT', `/plugins/${id}/config`, { config });
    await button('Save config').click();
    await button('Overwrite with mine').waitFor();
    // Nothing may be typed or clicked while their version is loaded and replaced.
    const held: Route[] = [];
    let isHeld = true;
    await page.route(`**/api/v1/plugins/${id}`, async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    });
    let saves = 0;
    page.on('request', (request) => void (saves += request.method() === 'PUT' ? 1 : 0));
    await button('Overwrite with mine').dblclick();
    await page.getByLabel('Model').focus();
    await page.keyboard.type('zz');
    assert.equal(await page.getByLabel('Model').inputValue(), 'mine after all');
    isHeld = false;
    for (const route of held) await route.continue();
    await page.getByText('The config was saved').waitFor();
    assert.equal(saves, 1);
    // The secret was not edited, so theirs stays.
    assert.deepEqual((await stored(id)).config, { model: 'mine after all', api_key: 'rotated' });
    web.assertQuiet(412);
  });

  it('are deactivated and activated', async () => {
    const id = await register();
    await open(`/plugins/${id}`);
    await button('Deactivate').click();
    await page.getByText('New steps fail. Activate it to continue.').waitFor();
    assert.equal((await stored(id)).is_active, false);
    await button('Activate').click();
    await button('Deactivate').waitFor();
    assert.equal((await stored(id)).is_active, true);
    web.assertQuiet();
  });

  it('are not deleted while a pipeline uses them, which is named, and are deleted after that', async () => {
    const id = await register();
    const steps = [{ plugin_id: id }];
    const pipeline = await client.expect(201, 'POST', '/pipelines', {
      name: 'Needs it',
      trigger_type: id,
      steps,
    });
    await open(`/plugins/${id}`);
    await page.getByRole('link', { name: 'Needs it' }).waitFor();
    await button('Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this plugin?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('The plugin is in use').waitFor();
    await dialog.getByRole('list', { name: 'Used by' }).getByRole('link', { name: 'Needs it' }).waitFor();
    assert.equal((await stored(id)).id, id);

    await client.expect(204, 'DELETE', `/pipelines/${pipeline.id}`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Plugins', level: 1 }).waitFor();
    assert.equal((await client.call('GET', `/plugins/${id}`)).status, 404);
    // The event of the deletion may arrive before its answer. The view then loads the plugin once more.
    web.assertQuiet(404, 409);
  });

  it('that use HTTP are registered, with a secret that is shown once and can be renewed', async () => {
    await open('/plugins');
    await button('Register HTTP plugin').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Id' }).fill('Not an id');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Text recognition');
    await dialog.getByRole('textbox', { name: 'Endpoint' }).fill('http://10.0.0.1/steps');
    await button('Register').click();
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.getByRole('textbox', { name: 'Id' }).getAttribute('aria-invalid'), 'true');

    await dialog.getByRole('textbox', { name: 'Id' }).fill('ocr');
    await dialog.getByRole('textbox', { name: 'Endpoint' }).fill('https://ocr.example.com/steps');
    await clickTwice(button('Register'));
    const secret = page.getByTestId('signing-secret');
    const first = await secret.innerText();
    assert.match(first, /^whsec_[\w+/]{40,}=*$/);
    // Neither a key nor a click beside it takes it away before it was stored.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    assert.equal(await secret.innerText(), first);
    await button('I have stored it').click();
    await secret.waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: 'Text recognition' }).click();
    await page.getByText('https://ocr.example.com/steps').waitFor();
    assert.ok(!(await page.content()).includes(first));
    await button('New secret').click();
    await clickTwice(button('Create new secret'));
    const second = await secret.innerText();
    assert.notEqual(second, first);
    assert.equal(web.requests.filter((url) => url.endsWith('/signing-secret')).length, 1);
    await button('I have stored it').click();
    await secret.waitFor({ state: 'hidden' });
    await button('New secret').click();
    await button('Create new secret').waitFor();
    assert.equal(await secret.count(), 0);
    web.assertQuiet(400, 422);
  });

  it('ask before changes are lost by a link or by Back', async () => {
    const id = await register({ config_schema: configSchema });
    await open('/pipelines');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Plugins' }).click();
    await page.locator(`a[href$="/plugins/${id}"]`).click();
    await page.getByLabel('Model').fill('small-3');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pipelines' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Model').inputValue(), 'small-3');
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL(/\/plugins$/);
    await page.locator(`a[href$="/plugins/${id}"]`).click();
    assert.equal(await page.getByLabel('Model').inputValue(), '');
    web.assertQuiet();
  });

  it('keep what an edit does not change, show an error at its field, and merge with the changes of others', async () => {
    const id = await register({
      description: 'One.\nTwo.',
      version: '1.0.0',
      config_schema: configSchema,
      config: { model: 'a', api_key: 's3cret' },
      produces: ['text'],
    });
    const before = await stored(id);
    await open(`/plugins/${id}`);
    const dialog = page.getByRole('dialog', { name: 'Edit plugin' });
    const inDialog = (name: string): Locator => dialog.getByRole('button', { name, exact: true });
    const field = (name: string): Locator => dialog.getByRole('textbox', { name, exact: true });
    const assertStored = async (changes: Readonly<Record<string, unknown>>): Promise<void> => {
      const { updated_at, ...now } = await stored(id);
      assert.deepEqual({ ...before, updated_at, ...changes }, { ...now, updated_at });
    };

    await button('Edit').click();
    await field('Name').fill('Renamed');
    await field('Endpoint').fill('not an address');
    await inDialog('Save').click();
    await dialog.getByText('must be an absolute URL', { exact: true }).waitFor();
    assert.equal(await field('Endpoint').getAttribute('aria-invalid'), 'true');
    assert.equal(await field('Name').getAttribute('aria-invalid'), null);
    await field('Endpoint').fill('http://10.0.0.1/steps');
    await inDialog('Save').click();
    await dialog.getByText('This address is not allowed').waitFor();
    await assertStored({});

    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'hidden' });
    const first = { name: 'Renamed', endpoint: 'https://elsewhere.example.com/steps' };
    await field('Endpoint').fill(first.endpoint);
    await inDialog('Save').click();
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
    await page.getByText(first.endpoint).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await assertStored(first);

    await button('Edit').click();
    const heartbeat = dialog.getByLabel('Heartbeat');
    const refused = { '12e3': 'must be <= 3600', '1x': 'must be number,null' };
    for (const [typed, why] of Object.entries(refused)) {
      await heartbeat.fill(typed);
      await inDialog('Save').click();
      await dialog.getByText(why, { exact: true }).waitFor();
      assert.equal(await heartbeat.inputValue(), typed);
      assert.equal(await heartbeat.getAttribute('aria-invalid'), 'true');
    }
    await dialog.getByLabel('Reads').selectOption('Artifacts of earlier steps');
    await field('Artifact types it reads').fill('scan, not/a/type');
    await heartbeat.fill('30');
    await inDialog('Save').click();
    await dialog.getByRole('alert').getByText('reads/1').waitFor();
    assert.equal(await field('Artifact types it reads').getAttribute('aria-invalid'), 'true');
    await field('Artifact types it reads').fill('scan, page');
    await client.expect(200, 'PUT', `/plugins/${id}/config`, { config: { model: 'theirs' } });
    await inDialog('Save').click();
    await dialog.getByText('Changed by someone else').waitFor();
    await assertStored({ ...first, config: { model: 'theirs' } });
    await inDialog('Overwrite with mine').click();
    await dialog.waitFor({ state: 'hidden' });
    const second = { ...first, reads: ['scan', 'page'], heartbeat_seconds: 30, config: { model: 'theirs' } };
    await assertStored(second);

    await button('Edit').click();
    await field('Version').fill('9');
    await client.expect(200, 'PUT', `/plugins/${id}/config`, { config: { model: 'again' } });
    await inDialog('Save').click();
    await inDialog('Discard my changes').click();
    await dialog.getByText('Changed by someone else').waitFor({ state: 'hidden' });
    assert.equal(await field('Version').inputValue(), '1.0.0');
    await assertStored({ ...second, config: { model: 'again' } });
    await field('Description').fill('Reads scans.');
    await inDialog('Save').click();
    await dialog.waitFor({ state: 'hidden' });
    await assertStored({ ...second, description: 'Reads scans.', config: { model: 'again' } });

    // The service registers its own plugins at every start, so that a change would not last.
    await page.goto(`${service.api}/plugins/extract-text`);
    await button('Deactivate').waitFor();
    assert.equal(await button('Edit').count(), 0);
    web.assertQuiet(400, 412);
  });

  for (const what of ['its name', 'its config'] as const) {
    it(`are shown as deleted to a user who saves ${what} after somebody deleted them`, async () => {
      const id = await register({ config_schema: configSchema });
      await open(`/plugins/${id}`);
      // Events are held back, so the page does not know of it yet.
      await web.context.route('**/api/v1/events*', (route) => route.abort());
      await page.reload();
      if (what === 'its name') {
        await button('Edit').click();
        await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Mine');
      } else await page.getByRole('textbox', { name: 'model' }).fill('mine');
      await client.expect(204, 'DELETE', `/plugins/${id}`);
      await page.getByRole('button', { name: /^Save/ }).last().click();
      await page.getByRole('heading', { name: 'This plugin was deleted' }).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      web.assertQuiet(404, 412, 'net::ERR_FAILED');
    });
  }

  it('cannot be changed by read-only users, who see the reason', async () => {
    const id = await register({ config_schema: configSchema, config: { model: 'a', api_key: 's3cret' } });
    const { key } = await createApiKey(service.deps.db, { name: 'looker', scopes: ['read'] });
    web = await browser.open(service, `/plugins/${id}`, { apiKey: key });
    page = web.page;
    for (const name of ['Edit', 'Deactivate', 'New secret', 'Delete'])
      assert.match((await button(name).getAttribute('aria-description')) ?? '', /admin/, name);
    await page.getByRole('tree', { name: 'Config' }).getByText('model').waitFor();
    assert.equal(await page.locator('#main :is(input, textarea, select):not([type=search])').count(), 0);
    assert.ok(!(await page.content()).includes('s3cret'));
    web.assertQuiet();
  });
});
