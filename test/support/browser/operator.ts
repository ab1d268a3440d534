import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.js';
import type { TroubledService, Trouble } from './troubled-service.js';

/** A user of the page whose clicks are counted; by keyboard, each key that activates something counts as one. */
interface Operator {
  click(target: Locator): Promise<void>;
  /** Opens a list and selects an option: two clicks. */
  choose(target: Locator, option: string): Promise<void>;
  /** Types into a field without a further click. */
  fill(target: Locator, text: string): Promise<void>;
  clicks(): number;
}

const operators = {
  mouse: createMouseOperator,
  keyboard: createKeyboardOperator,
} satisfies Readonly<Record<string, (page: Page) => Operator>>;

export type OperatedBy = keyof typeof operators;

function createMouseOperator(): Operator {
  let clicks = 0;
  return {
    async click(target) {
      clicks += 1;
      await target.click();
    },
    async choose(target, option) {
      clicks += 2;
      await target.selectOption(option);
    },
    // The Tab key reaches the field.
    fill: (target, text) => target.fill(text),
    clicks: () => clicks,
  };
}

/** The most keys that may lie between one control and the next. */
const mostKeys = 200;

function createKeyboardOperator({ keyboard }: Page): Operator {
  let clicks = 0;
  const reach = async (target: Locator, key: 'Tab' | 'ArrowDown'): Promise<void> => {
    await target.waitFor();
    // Finding the element by its name after each key would take longer than the key.
    let element = await target.elementHandle();
    for (let keys = 0; keys < mostKeys; keys += 1) {
      const place = await element.evaluate((now) => {
        const { activeElement } = now.ownerDocument;
        if (!now.isConnected) return 'gone';
        if (now === activeElement) return 'here';
        // 2: PRECEDING
        return ((activeElement?.compareDocumentPosition(now) ?? 0) & 2) === 0 ? 'ahead' : 'behind';
      });
      if (place === 'here') return;
      if (place === 'gone') element = await target.elementHandle();
      await keyboard.press(key === 'Tab' && place === 'behind' ? 'Shift+Tab' : key);
    }
    assert.fail(`${String(target)} is not reached by ${key}`);
  };
  return {
    async click(target) {
      const isMenuItem = (await target.getAttribute('role')) === 'menuitem';
      await reach(target, isMenuItem ? 'ArrowDown' : 'Tab');
      clicks += 1;
      await keyboard.press('Enter');
    },
    async choose(target, option) {
      await reach(target, 'Tab');
      clicks += 2;
      await keyboard.type(option);
    },
    async fill(target, text) {
      await reach(target, 'Tab');
      await keyboard.press('ControlOrMeta+A');
      await keyboard.type(text);
    },
    clicks: () => clicks,
  };
}

/** Finds without scrolling which worker is missing, how many resources wait for it, and what failed why. */
export async function seeTrouble(page: Page, trouble: Trouble): Promise<void> {
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const held = attention.getByRole('list', { name: 'What delays work' });
  const missing = held.getByRole('listitem').filter({ hasText: 'No worker for ocr' });
  await missing
    .getByText(new RegExp(`${trouble.waiting} resources wait, the longest for \\d+ min`))
    .waitFor();
  const causes = attention.getByRole('list', { name: 'Failures by cause' }).getByRole('listitem');
  assert.equal(await causes.count(), 4);
  const { height } = page.viewportSize() ?? { height: 0 };
  for (const line of [missing, ...(await causes.all())]) {
    const box = await line.boundingBox();
    assert.ok(box !== null && box.y + box.height <= height, `${await line.innerText()} is below the screen`);
  }
}

/**
 * Starts at the list of resources, finds and removes each cause, and resumes everything. Returns the number of clicks.
 */
export async function repair(
  page: Page,
  service: TroubledService,
  trouble: Trouble,
  by: OperatedBy,
): Promise<number> {
  const operator = operators[by](page);
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const cause = (code: string, plugin: string): Locator =>
    attention.getByRole('listitem').filter({ hasText: code }).filter({ hasText: plugin });
  const overview = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' });
  await operator.click(page.getByRole('link', { name: 'Show causes and what to do' }));
  await seeTrouble(page, trouble);
  for (const plugin of ['translate', 'classify']) {
    const activate = cause('PLUGIN_INACTIVE', plugin).getByRole('button', { name: `Activate ${plugin}` });
    await operator.click(activate);
    await activate.waitFor({ state: 'detached' });
  }
  const configs = [
    {
      code: 'UNKNOWN_MODEL',
      plugin: 'summarise',
      says: 'Set model to small-2.',
      key: 'model',
      value: 'small-2',
    },
    { code: 'BUDGET_SPENT', plugin: 'entities', says: 'Set budget to 100.', key: 'budget', value: '100' },
  ];
  for (const { code, plugin, says, key, value } of configs) {
    await cause(code, plugin).getByText(says).waitFor();
    await operator.click(cause(code, plugin).getByRole('link', { name: plugin }));
    await operator.fill(page.getByLabel(key, { exact: true }), value);
    await operator.click(page.getByRole('button', { name: 'Save config' }));
    // Until then, leaving the page asks for confirmation.
    await page.getByRole('button', { name: 'Undo changes' }).waitFor({ state: 'detached' });
    await operator.click(overview);
  }
  const failed = 4 * trouble.failedOfEach;
  await operator.click(attention.getByRole('button', { name: `Resume all ${failed} failed` }));
  await eventually(async () => (await service.resumed()) === failed, { timeoutMs: 240_000 });
  await cause('', '').first().waitFor();
  await attention.getByRole('list', { name: 'Failures by cause' }).waitFor({ state: 'detached' });
  return operator.clicks();
}

/** Starts at the list of resources and deletes every newsletter. Returns the number of clicks. */
export async function deleteNewsletters(
  page: Page,
  { superfluous }: Trouble,
  by: OperatedBy,
): Promise<number> {
  const operator = operators[by](page);
  await operator.choose(page.getByRole('combobox', { name: 'Type' }), 'newsletter');
  await operator.click(page.getByRole('button', { name: `All ${superfluous} that match` }));
  await operator.click(page.getByRole('menuitem', { name: 'Delete …' }));
  await operator.click(page.getByRole('dialog').getByRole('button', { name: `Delete ${superfluous}` }));
  await page.getByText(`${superfluous} resources deleted`).waitFor();
  await page.getByText('Nothing matches').waitFor();
  return operator.clicks();
}
