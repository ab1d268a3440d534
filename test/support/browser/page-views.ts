import type { Page } from 'playwright-core';
import type { Showcase } from './showcase.js';

/** A part of the web page to look at, in a service filled by `startShowcase`. */
export interface PageView {
  readonly name: string;
  readonly path: (showcase: Showcase) => string;
  /** Shows it, and waits until it is complete. */
  readonly show: (page: Page) => Promise<void>;
  /** What it opens over a view that has an entry itself. */
  readonly opens?: 'dialog' | 'menu';
  /** The documentation has a screenshot of it. */
  readonly isPictured?: boolean;
  readonly isForNobody?: boolean;
}

const at = (path: string) => (): string => path;
const done = (showcase: Showcase): string => `/resources/${showcase.done}`;
const failed = (showcase: Showcase): string => `/resources/${showcase.failed}`;
const pipeline = (showcase: Showcase): string => `/pipelines/${showcase.pipeline}`;

const heading =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('heading', { name, level: 1 }).waitFor();

/** Presses a button and waits for the dialog that it opens. */
const dialog =
  (button: string | RegExp, title: string | RegExp, before?: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await before?.(page);
    await page.getByRole('button', { name: button }).first().click();
    await page.getByRole('dialog', { name: title }).waitFor();
  };

/** Selects an entry in the menu of a resource, which opens a dialog. */
const menuDialog =
  (resource: string, entry: string, title: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${resource}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
    await page.getByRole('dialog', { name: title }).waitFor();
  };

const artifact =
  (type: string, content: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(`^${type} `) }).click();
    await page.getByRole('dialog').getByText(content).first().waitFor();
  };

const resources = (page: Page): Promise<void> =>
  page.getByRole('link', { name: 'Annual review 2025' }).waitFor();

/** All views, dialogs and states that are easy to reach. */
export const pageViews: readonly PageView[] = [
  {
    name: 'login',
    path: at('/login'),
    show: (page) => page.getByRole('button', { name: 'Log in' }).waitFor(),
    isPictured: true,
    isForNobody: true,
  },
  { name: 'resources', path: at('/resources'), show: resources, isPictured: true },
  {
    name: 'resources-none',
    path: at('/resources?q=nothing+has+this+name'),
    show: (page) =>
      page
        .getByRole('button', { name: /clear|every|all/i })
        .first()
        .waitFor(),
  },
  {
    name: 'add',
    path: at('/resources'),
    show: dialog('Add resources', 'Add resources', resources),
    opens: 'dialog',
    isPictured: true,
  },
  {
    name: 'bulk-delete',
    path: at('/resources'),
    async show(page: Page): Promise<void> {
      await resources(page);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
      await page.getByRole('button', { name: 'Delete …' }).click();
      await page.getByRole('dialog').getByText('cannot be undone').waitFor();
    },
  },
  { name: 'resource', path: done, show: heading('Archive handbook'), isPictured: true },
  { name: 'resource-failed', path: failed, show: heading('Contract, signed'), isPictured: true },
  {
    name: 'resource-processing',
    path: ({ processing }) => `/resources/${processing}`,
    show: heading('Annual review 2025'),
    isPictured: true,
  },
  {
    name: 'resource-pending',
    path: ({ pending }) => `/resources/${pending}`,
    show: heading('Scan of the deed'),
  },
  { name: 'artifact-text', path: done, show: artifact('summary', 'who may borrow'), opens: 'dialog' },
  { name: 'artifact-long', path: done, show: artifact('text', 'Every record'), opens: 'dialog' },
  { name: 'artifact', path: done, show: artifact('topics', 'reviewed'), opens: 'dialog', isPictured: true },
  { name: 'artifact-vector', path: done, show: artifact('embedding', '256'), opens: 'dialog' },
  {
    name: 'artifact-chunks',
    path: at('/resources?q=Minutes'),
    async show(page: Page): Promise<void> {
      await page.getByRole('link', { name: 'Minutes of the board, 12 May' }).click();
      await artifact('chunks', 'Chunk 0')(page);
    },
    opens: 'dialog',
  },
  {
    name: 'shortcuts',
    path: at('/plugins'),
    async show(page: Page): Promise<void> {
      await heading('Plugins')(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('These shortcuts').waitFor();
    },
    opens: 'dialog',
  },
  {
    name: 'resource-delete',
    path: failed,
    show: menuDialog('Contract, signed', 'Delete …', 'Delete this resource?'),
    opens: 'dialog',
  },
  {
    name: 'resource-rename',
    path: failed,
    show: menuDialog('Contract, signed', 'Rename …', 'Rename'),
    opens: 'dialog',
  },
  { name: 'search-tips', path: at('/search'), show: heading('Search') },
  {
    name: 'search',
    path: at('/search?q=record'),
    show: (page) => page.getByRole('list', { name: 'Hits' }).getByRole('link').first().waitFor(),
    isPictured: true,
  },
  {
    name: 'search-none',
    path: at('/search?q=nothinghasthisword'),
    show: (page) => page.getByText('No passage matches').waitFor(),
  },
  {
    name: 'found-place',
    path: (showcase) => `${done(showcase)}?start=10&end=60&page=1&marks=2-8.12-20&search=q%3Drecord`,
    show: (page) => page.getByRole('region', { name: 'Text at this place' }).waitFor(),
  },
  {
    name: 'pipelines',
    path: at('/pipelines'),
    show: (page) => page.getByRole('link', { name: 'Reports' }).waitFor(),
    isPictured: true,
  },
  {
    name: 'pipeline',
    path: pipeline,
    show: (page) => page.getByText('active').first().waitFor(),
    isPictured: true,
  },
  {
    name: 'pipeline-new',
    path: at('/pipelines/new'),
    async show(page: Page): Promise<void> {
      await page.getByLabel('1. Plugin').selectOption('chunk-text');
      await page.getByText('No earlier step produces “text”').waitFor();
    },
  },
  {
    name: 'pipeline-delete',
    path: pipeline,
    show: dialog('Delete', 'Delete this pipeline?'),
    opens: 'dialog',
  },
  {
    name: 'plugins',
    path: at('/plugins'),
    show: (page) => page.getByText('No worker polls').waitFor(),
    isPictured: true,
  },
  {
    name: 'plugin-register',
    path: at('/plugins'),
    show: dialog('Register HTTP plugin', 'Register HTTP plugin'),
    opens: 'dialog',
  },
  {
    name: 'plugin',
    path: at('/plugins/summarise'),
    show: (page) => page.getByLabel('Sentences').waitFor(),
    isPictured: true,
  },
  {
    name: 'plugin-json',
    path: at('/plugins/summarise'),
    async show(page: Page): Promise<void> {
      await page.getByText('JSON', { exact: true }).click();
      await page.getByLabel('Config as JSON').waitFor();
    },
  },
  {
    name: 'plugin-idle',
    path: at('/plugins/translate'),
    show: (page) => page.getByText('Its steps wait.').waitFor(),
  },
  {
    name: 'plugin-secret',
    path: at('/plugins/ocr'),
    show: dialog('New secret', 'Create a new signing secret?'),
  },
  { name: 'plugin-edit', path: at('/plugins/ocr'), show: dialog('Edit', 'Edit plugin'), opens: 'dialog' },
  {
    name: 'plugin-delete',
    path: at('/plugins/ocr'),
    show: dialog('Delete', 'Delete this plugin?'),
    opens: 'dialog',
  },
  {
    name: 'overview',
    path: at('/overview'),
    show: (page) => page.getByRole('link', { name: 'extract-text' }).first().waitFor(),
    isPictured: true,
  },
  {
    name: 'keys',
    path: at('/keys'),
    show: (page) => page.getByRole('region', { name: 'All keys' }).waitFor(),
    isPictured: true,
  },
  { name: 'key-create', path: at('/keys'), show: dialog('Create key', 'Create key'), opens: 'dialog' },
  { name: 'key-revoke', path: at('/keys'), show: dialog(/^Revoke /, 'Revoke this key?'), opens: 'dialog' },
  {
    name: 'audit',
    path: at('/audit'),
    show: (page) => page.getByRole('region', { name: 'Who changed what' }).waitFor(),
    isPictured: true,
  },
  {
    name: 'system',
    path: at('/system'),
    show: (page) => page.getByRole('row', { name: 'translations' }).waitFor(),
    isPictured: true,
  },
  {
    name: 'resources-more-filters',
    path: at('/resources'),
    async show(page: Page): Promise<void> {
      await resources(page);
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByLabel('Metadata key').waitFor();
    },
  },
  {
    name: 'account',
    path: at('/overview'),
    async show(page: Page): Promise<void> {
      await page.getByRole('link', { name: 'extract-text' }).first().waitFor();
      await page.getByRole('button', { name: /^Account: / }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
    },
    opens: 'menu',
  },
  {
    name: 'nowhere',
    path: at('/nowhere'),
    show: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
];
