import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ArrivedStep } from '../support/workers/http-worker.js';
import { eventually } from '../support/eventually.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import type { WebPage } from '../support/browser/web-page.js';
import { startNotesService, type NotesService } from '../support/browser/web-service.js';
import { formatDuration } from '../../web/src/parts/format.js';

const success = {
  status: 'SUCCESS',
  artifact: { type: 'note', content_type: 'text', content: 'Done at last.' },
};

describe('a resource on the page', function () {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: NotesService;
  let web: WebPage;
  let page: Page;
  let id: string;

  before(async () => {
    service = await startNotesService({ max_attempts: 2, backoff_seconds: 6, timeout_seconds: 120 });
  });
  after(() => service.stop());
  beforeEach(async () => {
    service.worker.handle = () => ({ status: 202 });
    ({ id } = await service.client.upload('note', { text: 'A note.' }));
    web = await browser.open(service, `/resources/${id}`);
    ({ page } = web);
  });

  const step = (name: string) =>
    page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name }) });
  /** The state of the resource, as it stands beside its name. */
  const state = (label: string): Promise<void> =>
    page.locator('h1 + span').getByText(label, { exact: true }).waitFor();
  const arrived = (run: number, attempt: number): Promise<ArrivedStep> =>
    eventually(() =>
      service.worker.arrived.find(
        ({ message }) =>
          message.resource.id === id && message.run === run && message.attempt.number === attempt,
      ),
    );
  const fail = (at: ArrivedStep, message: string): Promise<unknown> =>
    service.worker.report(at, {
      status: 'FAILURE',
      error: { code: 'OUT_OF_INK', message, details: { pages: 3 } },
    });

  it('shows what its step waits for and why it failed, and resumes from that step to the end', async () => {
    const first = await arrived(1, 1);
    const far = step('far');
    await far.getByText('Waiting for the worker to report.').waitFor();
    await far.getByText('attempt 1 of 2').waitFor();
    await far.getByText(/^runs \d/).waitFor();
    await state('Processing');

    await fail(first, 'The ink ran out.');
    await far.getByText('Waiting for the next attempt.').waitFor();
    await far.getByText('Retrying', { exact: true }).waitFor();
    await far.getByText('Previous attempt:  ').waitFor();
    await far.getByText('The ink ran out.').waitFor();

    await fail(await arrived(1, 2), 'There is no ink at all.');
    await state('Failed');
    await far.getByText('attempt 2 of 2').waitFor();
    await far.getByText('OUT_OF_INK').waitFor();
    await far.getByText('There is no ink at all.').waitFor();
    await far.getByText('Details').click();
    const details = await far.getByRole('region', { name: 'Details of the error' }).innerText();
    assert.deepEqual(JSON.parse(details), { pages: 3 });
    // The pause before the next attempt is neither.
    const { steps } = await service.client.expect(200, 'GET', `/resources/${id}`);
    const { started_at, finished_at, queue_seconds, run_seconds } = steps[1];
    const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000;
    assert.ok(seconds - queue_seconds - run_seconds > 5);
    await far.getByText(`queued ${formatDuration(queue_seconds * 1000)}`, { exact: true }).waitFor();
    await far.getByText(`ran ${formatDuration(run_seconds * 1000)}`, { exact: true }).waitFor();

    // Waiting and running are told apart, with their reasons.
    const far2 = page
      .getByRole('list', { name: 'Timeline of the steps' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^2\. far/ }) });
    const lines = far2.getByRole('listitem');
    // A wait for a worker of less than a millisecond has no line.
    const told = async (): Promise<readonly (string | undefined)[]> =>
      (await lines.allInnerTexts())
        .map((text) => text.split(/\n+/)[0])
        .filter((line) => line !== 'Waited for a worker');
    const expected = [
      'Delivered to the worker, attempt 1',
      'Waited for the callback · Failed',
      'Paused before the next attempt',
      'Delivered to the worker, attempt 2',
      'Waited for the callback · Failed',
    ];
    // The attempts are loaded on their own, and may be older than the steps.
    await eventually(async () => (assert.deepEqual(await told(), expected), true));
    await far2.getByText('OUT_OF_INK The ink ran out.').waitFor();
    await far2.getByText(/^6\.0 s$/).waitFor();
    await far2.getByRole('button').press('Enter');
    await lines.first().waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Resume from the failed step' }).click();
    const resumed = await arrived(2, 1);
    await state('Processing');
    await page.getByText('Kept from an earlier run').waitFor();
    await far2.getByText('Waiting for the callback', { exact: true }).waitFor();
    await far2.getByText('so far').waitFor();
    await far.getByText('The ink ran out.').waitFor({ state: 'detached' });
    await service.worker.report(resumed, success);
    await state('Completed');
    await far.getByRole('button', { name: /^note .*View result/ }).click();
    await page.getByRole('dialog').getByText('Done at last.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    // The step before was not done again.
    await step('extract-text')
      .getByRole('button', { name: /^text .*run 1.*View result/ })
      .waitFor();

    await page.getByRole('combobox', { name: 'Run' }).selectOption('1');
    await page.getByRole('heading', { name: 'Run 1, an earlier run' }).waitFor();
    await far.getByText('There is no ink at all.').waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet();
  });

  it('is cancelled, and run again from one of its steps', async () => {
    await arrived(1, 1);
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await state('Cancelled');
    await eventually(() => service.worker.cancellations(id).length > 0);
    await step('far').getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume from step 2' }).waitFor();

    await page.getByRole('button', { name: 'Run again from far' }).click();
    await service.worker.report(await arrived(2, 1), success);
    await state('Completed');
    await web.assertNeverReloaded();
    web.assertQuiet();
  });

  it('says that the text of a search hit has changed only if a later run replaced it', async () => {
    await service.worker.report(await arrived(1, 1), success);
    await state('Completed');
    await page.getByRole('button', { name: 'Run again from far' }).click();
    await service.worker.report(await arrived(2, 1), success);
    await state('Completed');
    // The second run kept the text of the first one.
    await page.goto(`${service.api}/resources/${id}?run=2&chunk=0&start=0&end=7&marks=2-6`);
    const text = page.getByRole('region', { name: 'Text at this place' });
    await text.locator('mark').getByText('note', { exact: true }).waitFor();
    const changed = page.getByText('The text has changed');
    assert.equal(await changed.count(), 0);

    await service.client.expect(202, 'POST', `/resources/${id}/reprocess`);
    await arrived(3, 1);
    await changed.waitFor();
    await text.locator('mark').getByText('A note.', { exact: true }).waitFor();
    web.assertQuiet();
  });

  it('shows its newest run beside a search hit of an earlier one, which stays when a run is chosen', async () => {
    await service.worker.report(await arrived(1, 1), success);
    await state('Completed');
    await page.getByRole('button', { name: 'Run again from far' }).click();
    await arrived(2, 1);
    const hit = 'run=1&chunk=0&start=0&end=7&page=1';
    await page.goto(`${service.api}/resources/${id}?${hit}`);
    await page.getByRole('heading', { name: 'Found on page 1' }).waitFor();
    const newest = page.getByRole('heading', { name: 'Pipeline', exact: true });
    const picker = page.getByRole('combobox', { name: 'Run' });
    await picker.waitFor();
    await newest.waitFor();
    await step('far').getByText('Waiting for the worker to report.').waitFor();

    await picker.selectOption('1');
    await page.getByRole('heading', { name: 'Run 1, an earlier run' }).waitFor();
    await page.getByRole('button', { name: 'Show it' }).click();
    await newest.waitFor();
    assert.equal(new URL(page.url()).search, `?${hit}`);
    await picker.selectOption('1');
    await page.getByRole('button', { name: 'Close this passage' }).click();
    await page.getByRole('heading', { name: 'Run 1, an earlier run' }).waitFor();
    assert.equal(new URL(page.url()).search, '?shown_run=1');
    web.assertQuiet();
  });

  it('keeps the name that somebody else gave it meanwhile, and warns the user who renames it', async () => {
    await service.worker.report(await arrived(1, 1), success);
    await state('Completed');
    const dialog = page.getByRole('dialog', { name: 'Rename' });
    const begin = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for' }).click();
      await page.getByRole('menuitem', { name: 'Rename …' }).click();
      await dialog.getByLabel('Name').fill(name);
    };
    await begin('Mine');
    // Once it was loaded anew, the page knows the ETag that would let the change through.
    const loaded = page.waitForResponse(
      async (answer) => answer.url().endsWith(`/resources/${id}`) && (await answer.text()).includes('Theirs'),
    );
    await service.client.expect(200, 'PATCH', `/resources/${id}`, { name: 'Theirs' });
    await loaded;
    await page.locator('h1', { hasText: 'Theirs' }).waitFor();
    await dialog.getByRole('button', { name: 'Rename' }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('Changed by someone else').waitFor();
    await alert.getByText('Nothing was overwritten.').waitFor();
    assert.equal((await service.client.expect(200, 'GET', `/resources/${id}`)).name, 'Theirs');

    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await begin('Ours');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ours' }).waitFor();
    web.assertQuiet(412);
  });

  it('shows that it was deleted by somebody else', async () => {
    await service.worker.report(await arrived(1, 1), success);
    await state('Completed');
    await service.client.expect(204, 'DELETE', `/resources/${id}`);
    await page.getByRole('heading', { name: 'This resource was deleted' }).waitFor();
    await page.getByRole('link', { name: 'Back to resources' }).click();
    await page.getByRole('button', { name: 'Add resources' }).first().waitFor();

    // The event of a deletion was missed.
    const { id: other } = await service.client.upload('note', { text: 'Another' });
    await page.getByRole('link', { name: 'Another.txt' }).click();
    await page.getByRole('heading', { level: 1, name: 'Another.txt' }).waitFor();
    const gone = { status: 404, json: { error: { code: 'NOT_FOUND', message: 'Gone', details: {} } } };
    await page.route(`**/api/v1/resources/${other}`, (route) => route.fulfill(gone));
    const reset = { kind: 'event', event: { name: 'reset', data: {} }, id: '' };
    await page.evaluate(`new BroadcastChannel('kw-events').postMessage(${JSON.stringify(reset)})`);
    await page.getByRole('heading', { name: 'This resource was deleted' }).waitFor();
    await web.assertNeverReloaded();
    // A request that was under way found it deleted.
    web.assertQuiet(404);
  });
});
