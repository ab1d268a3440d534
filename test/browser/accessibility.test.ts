import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { pageViews } from '../support/browser/page-views.js';
import { startShowcase, type Showcase } from '../support/browser/showcase.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

/** What axe finds: by all rules, by all but that for colours, or only by that. */
async function violations(page: Page, rules: 'all' | 'all but colours' | 'colours'): Promise<string[]> {
  return await page.evaluate(async (which) => {
    const { axe: runner } = globalThis as unknown as { axe: typeof axe };
    const found = await runner.run({
      resultTypes: ['violations'],
      ...(which === 'colours' && { runOnly: { type: 'rule', values: ['color-contrast'] } }),
      ...(which === 'all but colours' && { rules: { 'color-contrast': { enabled: false } } }),
    });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length}) ${nodes[0]?.failureSummary}`,
    );
  }, rules);
}

/** Brings axe into the page, and ends what fades: a colour half-way is no one's choice. */
async function prepare(page: Page): Promise<void> {
  await page.evaluate(`${axe.source}
    const still = new CSSStyleSheet();
    still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
    document.adoptedStyleSheets.push(still);`);
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

describe('every view and dialog of the page', function () {
  // axe looks at thousands of elements, and a browser on a busy machine takes its time.
  this.timeout(600_000);

  const browser = suiteBrowser();
  let service: WebService;
  let showcase: Showcase;

  before(async () => {
    service = await startWebService();
    showcase = await startShowcase({ ...service, databaseUrl: service.core.deps.config.databaseUrl }, 1);
  });
  after(async () => {
    await showcase.stop();
    await service.stop();
  });

  for (const isForNobody of [false, true]) {
    const views = pageViews.filter((view) => (view.isForNobody ?? false) === isForNobody);
    const who = isForNobody ? 'logged out' : 'logged in';
    it(`has no axe violations, wide and narrow, light and dark, and no console errors: ${who}`, async () => {
      const found: Record<string, readonly string[]> = {};
      const web = await browser.open(service, '/health/live', {
        colorScheme: 'light',
        reducedMotion: 'reduce',
        ...(isForNobody && { apiKey: null }),
      });
      const { page } = web;
      // A view with unsaved changes is left without a question.
      await page.addInitScript(
        "addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)",
      );
      let heard = 0;
      for (const { name, path, show } of views) {
        await page.setViewportSize({ width: 1280, height: 844 });
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(`${service.api}${path(showcase)}`);
        await show(page);
        await prepare(page);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          await drawn(page);
          found[`${name}, ${width}`] = await violations(page, width === 390 ? 'all but colours' : 'all');
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          if (overflow > 0) found[`${name}, ${width}, size`] = [`it is ${overflow} pixels too wide`];
        }
        // The scheme changes the colours and nothing else. What only the narrow page shows is checked here.
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
        await drawn(page);
        found[`${name}, dark`] = await violations(page, 'colours');
        if (name !== 'nowhere') assert.deepEqual(web.messages.slice(heard), [], name);
        heard = web.messages.length;
      }
      assert.deepEqual(
        Object.entries(found).filter(([, violations]) => violations.length > 0),
        [],
      );
      web.assertQuiet(404);
    });
  }
});
