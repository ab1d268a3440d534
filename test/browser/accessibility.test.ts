import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/chromium.js';
import { pageViews } from '../support/page-views.js';
import { startShowcase, type Showcase } from '../support/showcase.js';
import { startStack, type TestStack } from '../support/stack.js';
import { openWebPage, type WebPage } from '../support/web-page.js';

describe('every view and dialog of the page', function () {
  // axe looks at thousands of elements, and a browser on a busy machine takes its time.
  this.timeout(600_000);

  let stack: TestStack;
  let showcase: Showcase;
  let browser: Browser;

  before(async () => {
    [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
    showcase = await startShowcase(stack);
  });
  after(async () => {
    await browser.close();
    await showcase.stop();
    await stack.stop();
  });

  /** What axe finds, and by how many pixels the page is wider than the window. */
  const check = async ({ page }: WebPage): Promise<string[]> => {
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { axe: runner } = globalThis as unknown as { axe: typeof axe };
      const found = await runner.run({ resultTypes: ['violations'] });
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length}) ${nodes[0]?.failureSummary}`,
      );
    });
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    return overflow > 0 ? [...violations, `it is ${overflow} pixels too wide`] : violations;
  };

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`has nothing that axe finds, ${colorScheme} and ${width} pixels wide, and is quiet`, async () => {
        const found: Record<string, readonly string[]> = {};
        for (const { name, path, show, isForNobody } of pageViews) {
          const web = await openWebPage(browser, stack, path(showcase), {
            colorScheme,
            viewport: { width, height: 844 },
            reducedMotion: 'reduce',
            ...(isForNobody && { apiKey: null }),
          });
          await show(web.page);
          const violations = await check(web);
          if (violations.length > 0) found[name] = violations;
          web.assertQuiet(...(name === 'nowhere' ? [404] : []));
          await web.close();
        }
        assert.deepEqual(found, {});
      });
    }
  }
});
