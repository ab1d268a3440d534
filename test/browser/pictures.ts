/**
 * Takes the pictures of the page that the documentation shows, in Chromium, of a stack of its own that is filled for it:
 *
 *     npm run pictures
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectBrowser } from '../support/browser/chromium.js';
import { pageViews } from '../support/browser/page-views.js';
import { stopShared } from '../support/shared/servers.js';
import { startShowcase } from '../support/browser/showcase.js';
import { startStack } from '../support/service/stack.js';
import { openWebPage } from '../support/browser/web-page.js';

const folder = fileURLToPath(new URL('../../docs/pictures/page/', import.meta.url));
mkdirSync(folder, { recursive: true });

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const stack = await startStack();
const browser = await connectBrowser();
const showcase = await startShowcase({ ...stack, databaseUrl: stack.stack().database_url });
try {
  for (const { name: look, ...options } of looks) {
    for (const { name, path, show, isForNobody } of pageViews.filter(({ isPictured }) => isPictured)) {
      const { web } = await openWebPage(browser, stack, path(showcase), {
        ...options,
        reducedMotion: 'reduce',
        ...(isForNobody && { apiKey: null }),
      });
      await show(web.page);
      if (!isForNobody) await web.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      await web.page.evaluate('document.fonts.ready');
      await web.page.screenshot({ path: `${folder}${name}-${look}.png` });
      await web.close();
    }
  }
} finally {
  await browser.close();
  await showcase.stop();
  await stack.stop();
  await stopShared();
}
