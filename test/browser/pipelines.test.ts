import assert from 'node:assert/strict';
import type { Locator, Page, Route } from 'playwright-core';
import { createApiKey } from '../../storage/auth/api-keys.js';
import type { RestClient } from '../support/service/rest-client.js';
import { eventually } from '../support/eventually.js';
import { clickTwice } from '../support/browser/interactions.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebApi, type WebApi } from '../support/browser/web-service.js';
import type { WebPage } from '../support/browser/web-page.js';

describe('pipelines in a browser', () => {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: WebApi;
  let client: RestClient;
  let web: WebPage;
  let page: Page;
  let made = 0;

  before(async () => {
    service = await startWebApi();
    ({ client } = service);
  });
  after(() => service.stop());

  const open = async (path: string): Promise<void> => {
    web = await browser.open(service, path);
    page = web.page;
  };
  const plugins = ['extract-text', 'chunk-text', 'embed'] as const;
  /** Makes one of three steps by the API. */
  const make = async (): Promise<{ id: string; name: string; type: string }> => {
    const [name, type] = [`Reports ${++made}`, `report-${made}`];
    const steps = plugins.map((plugin_id) => ({ plugin_id, max_attempts: 3 }));
    const { id } = await client.expect(201, 'POST', '/pipelines', { name, trigger_type: type, steps });
    return { id, name, type };
  };
  const stored = (id: string): Promise<any> => client.expect(200, 'GET', `/pipelines/${id}`);
  const stepsOf = async (id: string): Promise<string[]> =>
    (await stored(id)).steps.map(({ plugin_id }: { plugin_id: string }) => plugin_id);
  const step = (number: number): Locator => page.getByRole('group', { name: `Step ${number}` });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const shownSteps = async (): Promise<string[]> =>
    await page
      .getByLabel(/^\d+\. Plugin$/)
      .evaluateAll((all) => all.map((select) => (select as unknown as { value: string }).value));
  const save = async (): Promise<void> => {
    await button('Save').click();
    await page.getByText('was saved').waitFor();
  };
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it("are created, with empty fields left to the service's defaults", async () => {
    await open('/pipelines');
    await button('New pipeline').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Letters');
    assert.equal(
      await button('Create pipeline').getAttribute('aria-description'),
      'Enter the type of resources that it processes.',
    );
    await page.getByLabel('Trigger type').fill('letter');
    await page.getByLabel('1. Plugin').selectOption('extract-text');
    await step(1).getByLabel('Attempts').fill('7');
    await step(1).getByLabel('Pause').fill('0.5');
    await button('Add step').click();
    assert.equal(
      await button('Create pipeline').getAttribute('aria-description'),
      'Choose a plugin for step 2.',
    );
    await page.getByLabel('2. Plugin').selectOption('chunk-text');
    await clickTwice(button('Create pipeline'));
    await page.getByRole('heading', { name: 'Letters', level: 1 }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { name, trigger_type, steps } = await stored(id);
    assert.deepEqual([name, trigger_type], ['Letters', 'letter']);
    assert.deepEqual(steps, [
      { plugin_id: 'extract-text', max_attempts: 7, backoff_seconds: 0.5, timeout_seconds: 300 },
      { plugin_id: 'chunk-text', max_attempts: 3, backoff_seconds: 5, timeout_seconds: 300 },
    ]);
    await page.getByRole('link', { name: 'Pipelines' }).first().click();
    const list = page.getByRole('list', { name: 'Steps of Letters' });
    await list.waitFor();
    assert.match(
      await list.innerText(),
      /extract-text\s+7 attempts of 5 min\s+chunk-text\s+3 attempts of 5 min/,
    );
    web.assertQuiet();
  });

  it('that somebody else creates, changes and deletes appear in the list without a reload', async () => {
    await open('/pipelines');
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await page.getByRole('link', { name: 'Documents' }).waitFor();
    const made = { name: 'From afar', trigger_type: 'a'.repeat(100), steps: [{ plugin_id: 'embed' }] };
    const { id } = await client.expect(201, 'POST', '/pipelines', made);
    await page.getByRole('link', { name: 'From afar', exact: true }).waitFor();
    await page.setViewportSize({ width: 375, height: 800 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 375);
    const { trigger_type: _type, ...changed } = { ...made, name: 'From even farther' };
    await client.expect(200, 'PUT', `/pipelines/${id}`, changed);
    await page.getByRole('link', { name: 'From even farther' }).waitFor();
    await client.expect(204, 'DELETE', `/pipelines/${id}`);
    await page.getByRole('link', { name: 'From even farther' }).waitFor({ state: 'detached' });
    await web.assertNeverReloaded();
    web.assertQuiet();
  });

  it('show what each step reads and produces, and warn if no earlier step produces an input', async () => {
    const { id } = await make();
    await open(`/pipelines/${id}`);
    await step(2).getByText('text of step 1', { exact: true }).waitFor();
    await step(1).getByText('the source', { exact: true }).waitFor();
    assert.match(await step(3).innerText(), /Reads\s+chunks of step 2\s+Produces\s+embeddings/);
    const warnings = page.getByText(/^No earlier step produces/);
    assert.equal(await warnings.count(), 0);
    await button('Move step 2 up').click();
    const warning =
      'No earlier step produces “text”, which this step needs. Step 2 does: move it before this one.';
    await step(1).getByText(warning).waitFor();
    assert.equal(await warnings.count(), 1);
    await button('Remove step 2').click();
    await step(1)
      .getByText('No earlier step produces “text”, which this step needs.', { exact: true })
      .waitFor();
    // A warning: the pipeline can be saved, and the plugin may know better.
    await save();
    assert.deepEqual(await stepsOf(id), ['chunk-text', 'embed']);
    web.assertQuiet();
  });

  it('ask before changes are lost, and show no fields to users who may not edit', async () => {
    const { id, name } = await make();
    await open(`/pipelines/${id}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Half a name');
    // The test dismisses the browser's question, so the page stays open.
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    assert.equal((await asked).type(), 'beforeunload');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Plugins' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Plugins', level: 1 }).waitFor();
    assert.equal((await stored(id)).name, name);
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
    assert.equal(web.messages.length, 1);
    await web.close();

    const { key } = await createApiKey(service.deps.db, { name: 'looker', scopes: ['read'] });
    web = await browser.open(service, `/pipelines/${id}`, { apiKey: key });
    page = web.page;
    await step(2).getByText('text of step 1', { exact: true }).waitFor();
    await page.getByText('it needs the scope “admin”').waitFor();
    assert.equal(await page.locator('#main :is(input, textarea, select):not([type=search])').count(), 0);
    assert.equal(await page.getByRole('button', { name: /^(Move|Remove|Add) / }).count(), 0);
    await page.goto(`${service.api}/pipelines/new`);
    await page.getByRole('heading', { name: 'Only admin keys can create pipelines' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create pipeline' }).count(), 0);
    web.assertQuiet();
  });

  it('are rejected with a reason if their type already has one', async () => {
    await open('/pipelines/new?trigger_type=document');
    await page.getByRole('textbox', { name: 'Name' }).fill('More documents');
    await page.getByLabel('1. Plugin').selectOption('chunk-text');
    await button('Create pipeline').click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('Another pipeline has this trigger type').waitFor();
    assert.match(await refusal.innerText(), /edit that one, or choose another type/);
    await page.getByLabel('Trigger type').fill('more-documents');
    await button('Create pipeline').click();
    await page.getByRole('heading', { name: 'More documents', level: 1 }).waitFor();
    web.assertQuiet(409);
  });

  it('have their steps reordered with the mouse', async () => {
    const { id } = await make();
    await open(`/pipelines/${id}`);
    await step(3).waitFor();
    const handle = await page.getByRole('button', { name: /^Move step 1 with/ }).boundingBox();
    const target = await step(3).boundingBox();
    assert.ok(handle && target);
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(handle.x + 20, handle.y + 30, { steps: 5 });
    await page.mouse.move(handle.x + 20, target.y + target.height - 10, { steps: 15 });
    await page.getByText(/moved the item from position 1\s+to position 3/).waitFor({ state: 'attached' });
    await page.mouse.up();
    await page.getByText(/dropped the item/).waitFor({ state: 'attached' });
    assert.deepEqual(await shownSteps(), ['chunk-text', 'embed', 'extract-text']);
    await save();
    assert.deepEqual(await stepsOf(id), ['chunk-text', 'embed', 'extract-text']);
    web.assertQuiet();
  });

  it('have their steps reordered by keyboard, on the handle and with the arrow buttons', async () => {
    const { id } = await make();
    await open(`/pipelines/${id}`);
    await page.getByRole('button', { name: /^Move step 3 with/ }).focus();
    await press('Space');
    await page.getByText(/lifted an item/).waitFor({ state: 'attached' });
    await press('ArrowUp');
    await page.getByText(/moved the item from position 3\s+to position 2/).waitFor({ state: 'attached' });
    await press('Space');
    await page.getByText(/dropped the item/).waitFor({ state: 'attached' });
    assert.deepEqual(await shownSteps(), ['extract-text', 'embed', 'chunk-text']);
    const focused = async (): Promise<string> =>
      await page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.innerText');
    await button('Move step 1 down').focus();
    await press('Enter', 'Enter', 'Enter');
    assert.equal(await focused(), 'Move step 3 down');
    assert.deepEqual(await shownSteps(), ['embed', 'chunk-text', 'extract-text']);
    await button('Move step 2 up').focus();
    await press('Enter');
    assert.equal(await focused(), 'Move step 1 up');
    await press('Enter');
    assert.deepEqual(await shownSteps(), ['chunk-text', 'embed', 'extract-text']);
    await button('Remove step 1').focus();
    await press('Enter');
    assert.match(await focused(), /^Move step 1 with/);
    await button('Remove step 2').focus();
    await press('Enter');
    assert.equal(await focused(), 'Add step');
    await save();
    assert.deepEqual(await stepsOf(id), ['embed']);
    web.assertQuiet();
  });

  it('are saved with other limits, and not with invalid ones, which show the valid range', async () => {
    const { id } = await make();
    await open(`/pipelines/${id}`);
    const attempts = step(2).getByLabel('Attempts');
    await attempts.fill('101');
    await press('Tab');
    await step(2).getByText('Must be 1 to 100.').waitFor();
    assert.equal(await attempts.getAttribute('aria-invalid'), 'true');
    assert.equal(await button('Save').getAttribute('aria-description'), 'Check the attempts of step 2.');
    for (const typed of ['1.5', '-5', '1e']) {
      await attempts.fill(typed);
      await step(2).getByText('Must be 1 to 100.').waitFor();
      assert.equal(await attempts.inputValue(), typed);
      assert.equal(await button('Save').getAttribute('aria-description'), 'Check the attempts of step 2.');
    }
    await attempts.fill('100');
    await step(3).getByLabel('Time-out').fill('0');
    await step(3).getByText('Must be above 0.').waitFor();
    await step(3).getByLabel('Time-out').fill('.25');
    await step(3).getByLabel('Pause').fill('1e3');
    assert.equal(await page.getByText('Must be').count(), 0);
    await save();
    const { steps } = await stored(id);
    const { timeout_seconds, backoff_seconds } = steps[2];
    assert.deepEqual([steps[1].max_attempts, timeout_seconds, backoff_seconds], [100, 0.25, 1_000]);
    web.assertQuiet();
  });

  it('take no text while they are being saved, because the saved one would replace it', async () => {
    const { id } = await make();
    await open(`/pipelines/${id}`);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Kept');
    let held: Route | undefined;
    await page.route(`**/api/v1/pipelines/${id}`, async (route) => {
      if (route.request().method() === 'PUT') held = route;
      else await route.continue();
    });
    await button('Save').click();
    const saving = await eventually(() => held);
    await name.focus();
    await page.keyboard.type('zz');
    assert.equal(await name.inputValue(), 'Kept');
    await saving.continue();
    await page.getByText('Kept\u2069” was saved').waitFor();
    await name.focus();
    await page.keyboard.type('zz');
    assert.match(await name.inputValue(), /zz/);
    assert.equal((await stored(id)).name, 'Kept');
    web.assertQuiet();
  });

  it('that somebody else changed meanwhile are not overwritten, unless the user wants that', async () => {
    const { id, name } = await make();
    const theirs = (what: string): Promise<unknown> =>
      client.expect(200, 'PUT', `/pipelines/${id}`, { name: what, steps: [{ plugin_id: 'chunk-text' }] });
    await open(`/pipelines/${id}`);
    await page.getByRole('textbox', { name: 'Name' }).fill(`${name}, mine`);
    // Events are held back, so the page does not know of it yet.
    await web.context.route('**/api/v1/events*', (route) => route.abort());
    await theirs('Theirs');
    await button('Save').click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('Changed by someone else').waitFor();
    assert.match(await refusal.innerText(), /Nothing was overwritten/);
    assert.doesNotMatch(await refusal.innerText(), /If-Match|Reload/);
    const [theirTab] = await Promise.all([
      web.context.waitForEvent('page'),
      refusal.getByRole('link', { name: 'Look at their version' }).click(),
    ]);
    await theirTab.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
    await theirTab.close();
    assert.equal((await stored(id)).name, 'Theirs');
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), `${name}, mine`);

    await button('Discard my changes').click();
    await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
    assert.deepEqual(await shownSteps(), ['chunk-text']);
    assert.equal(await page.getByRole('alert').count(), 0);

    await page.getByRole('textbox', { name: 'Name' }).fill('Mine after all');
    await theirs('Theirs again');
    await button('Save').click();
    await button('Overwrite with mine').click();
    await page.getByRole('heading', { name: 'Mine after all', level: 1 }).waitFor();
    assert.equal((await stored(id)).name, 'Mine after all');
    web.assertQuiet(412);
  });

  it('that are open follow changes by somebody else, and keep what is being typed', async () => {
    const { id } = await make();
    const first = await stored(id);
    await open(`/pipelines/${id}`);
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await client.expect(200, 'PUT', `/pipelines/${id}`, { name: 'New', steps: [{ plugin_id: 'embed' }] });
    await page.getByRole('heading', { name: 'New', level: 1 }).waitFor();
    assert.deepEqual(await shownSteps(), ['embed']);
    assert.equal(await page.getByText('Saving will be refused').count(), 0);
    // A response that was held up contains an older version, which must not replace the newer one.
    await page.route(
      `**/api/v1/pipelines/${id}`,
      (route) => route.fulfill({ json: first, headers: { etag: '"first"' } }),
      { times: 1 },
    );
    const titles = await page.evaluateHandle<string[]>(`(() => {
      const titles = [];
      const note = () => titles.push(document.querySelector('h1')?.textContent);
      new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true });
      return titles;
    })()`);
    const late = page.waitForResponse(`**/api/v1/pipelines/${id}`);
    await client.expect(200, 'PUT', `/pipelines/${id}`, { name: 'Newer', steps: [{ plugin_id: 'embed' }] });
    await (await late).finished();
    await client.expect(200, 'PUT', `/pipelines/${id}`, { name: 'Newest', steps: [{ plugin_id: 'embed' }] });
    await page.getByRole('heading', { name: 'Newest', level: 1 }).waitFor();
    const shown = await titles.jsonValue();
    assert.ok(!shown.includes(first.name), shown.join());
    await page.getByRole('textbox', { name: 'Name' }).fill('Half typ');
    await client.expect(200, 'PUT', `/pipelines/${id}`, { name: 'Theirs', steps: [{ plugin_id: 'embed' }] });
    await page.getByText('Saving will be refused, so that it does not overwrite their version.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Half typ');
    await button('Load it').click();
    await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
    await client.expect(204, 'DELETE', `/pipelines/${id}`);
    await page.getByRole('heading', { name: 'This pipeline was deleted' }).waitFor();
    await page.getByRole('link', { name: 'Back to pipelines' }).click();
    await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor();
    web.assertQuiet(404);
  });

  it('are deleted after a confirmation that explains it, and not if they have changed since', async () => {
    const { id, name, type } = await make();
    await open(`/pipelines/${id}`);
    const dialog = page.getByRole('dialog', { name: 'Delete this pipeline?' });
    await button('Delete').click();
    assert.match(await dialog.innerText(), new RegExp(`New resources of the type ${type} stay\\s+pending`));
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await stored(id)).name, name);

    // An editor without changes would follow theirs.
    await page.getByRole('textbox', { name: 'Name' }).fill(`${name}, mine`);
    await client.expect(200, 'PUT', `/pipelines/${id}`, {
      name: 'Their own',
      steps: [{ plugin_id: 'embed' }],
    });
    await button('Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('Changed by someone else').waitFor();
    assert.equal((await stored(id)).name, 'Their own');
    await dialog.getByRole('button', { name: 'Keep it' }).click();

    await button('Load it').click();
    await page.getByRole('heading', { name: 'Their own', level: 1 }).waitFor();
    await button('Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Their own\u2069” was deleted').waitFor();
    await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Their own' }).count(), 0);
    assert.equal((await client.call('GET', `/pipelines/${id}`)).status, 404);
    // The event of the deletion may arrive before its answer. The view then loads the pipeline once more.
    web.assertQuiet(404, 412);
  });
});
