import type { Locator, Page } from 'playwright-core';

/** An interaction from the browser's Event Timing API: from the input to the next paint. */
export interface Interaction {
  readonly name: string;
  readonly milliseconds: number;
}

/** Slows down the CPU for a page by a factor. Returns a function that ends it. */
export async function slowDown(page: Page, rate: number): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  return async () => {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await devtools.detach();
  };
}

/** Records how long each interaction takes to its next paint. Browsers do not report those below 16 ms. */
export async function watchInteractions(page: Page): Promise<() => Promise<readonly Interaction[]>> {
  await page.evaluate(`globalThis.interactions = new Map();
    new PerformanceObserver((list) => {
      for (const { interactionId, name, duration } of list.getEntries()) {
        if (interactionId === 0) continue;
        const known = interactions.get(interactionId);
        if (known === undefined || known.milliseconds < duration)
          interactions.set(interactionId, { name, milliseconds: duration });
      }
    }).observe({ type: 'event', durationThreshold: 16 })`);
  return () => page.evaluate<Interaction[]>('[...interactions.values()]');
}

/** Clicks a button twice before the page is drawn again, as a double click on a busy page does. */
export async function clickTwice(button: Locator): Promise<void> {
  await button.evaluate((element) => {
    const clickable = element as unknown as { click(): void };
    clickable.click();
    clickable.click();
  });
}

/** Waits for the second next frame: what happened before is painted. Costs the page nothing else. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** Scrolls a page to its end, one screen at a time. Returns the duration of each frame in milliseconds. */
export async function scrollThrough(page: Page): Promise<readonly number[]> {
  await page.evaluate(`globalThis.frames = []; globalThis.isScrolling = true;
    { let last = performance.now();
      const note = (now) => { frames.push(now - last); last = now; if (isScrolling) requestAnimationFrame(note); };
      requestAnimationFrame(note); }`);
  await page.mouse.move(700, 500);
  for (;;) {
    const before = await page.evaluate<number>('scrollY');
    await page.mouse.wheel(0, 700);
    await painted(page);
    if ((await page.evaluate<number>('scrollY')) === before) break;
  }
  return await page.evaluate<number[]>('isScrolling = false, frames');
}
