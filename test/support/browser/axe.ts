import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';

/** Returns what axe finds in a page, or a part of it: by all rules, by all but that for colours, or only by that. */
export async function violations(
  page: Page,
  rules: 'all' | 'all but colours' | 'colours',
  part: Locator = page.locator('html'),
): Promise<string[]> {
  return await part.evaluate(async (element, which) => {
    const { axe: runner } = globalThis as unknown as { axe: typeof axe };
    const found = await runner.run(element, {
      resultTypes: ['violations'],
      ...(which === 'colours' && { runOnly: { type: 'rule', values: ['color-contrast'] } }),
      ...(which === 'all but colours' && { rules: { 'color-contrast': { enabled: false } } }),
    });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length}) ${nodes[0]?.failureSummary}`,
    );
  }, rules);
}

/** Loads axe into the page and ends transitions, so that colours are final. */
export async function prepareAxe(page: Page): Promise<void> {
  await page.evaluate(`${axe.source}
    const still = new CSSStyleSheet();
    still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
    document.adoptedStyleSheets.push(still);`);
}

/** Resolves once the page has been drawn again. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}
