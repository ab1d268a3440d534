import assert from 'node:assert/strict';
import { drawn, prepareAxe, violations } from '../support/browser/axe.js';
import { pageViews } from '../support/browser/page-views.js';
import { startShowcase, type Showcase } from '../support/browser/showcase.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

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
      const web = await browser.open(service, views[0]!.path(showcase), {
        colorScheme: 'light',
        reducedMotion: 'reduce',
        ...(isForNobody && { apiKey: null }),
      });
      const { page } = web;
      await prepareAxe(page);
      for (const { name, path, show, opens } of views) {
        await page.setViewportSize({ width: 1280, height: 844 });
        await page.emulateMedia({ colorScheme: 'light' });
        // The router follows, without the question for unsaved changes. A new document takes half a second.
        await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path(showcase))})`);
        await show(page);
        const part = opens === undefined ? page.locator('html') : page.getByRole(opens);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          await drawn(page);
          found[`${name}, ${width}`] = await violations(
            page,
            width === 390 ? 'all but colours' : 'all',
            part,
          );
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          if (overflow > 0) found[`${name}, ${width}, size`] = [`it is ${overflow} pixels too wide`];
        }
        // The scheme changes the colours and nothing else. What only the narrow page shows is checked here.
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
        await drawn(page);
        found[`${name}, dark`] = await violations(page, 'colours', part);
        assert.deepEqual(web.messages, [], name);
        for (const over of ['dialog', 'menu'] as const) {
          if ((await page.getByRole(over).count()) === 0) continue;
          await page.keyboard.press('Escape');
          await page.getByRole(over).waitFor({ state: 'detached' });
        }
      }
      assert.deepEqual(
        Object.entries(found).filter(([, violations]) => violations.length > 0),
        [],
      );
      web.assertQuiet();
    });
  }
});
