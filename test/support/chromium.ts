import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { shared } from './shared/servers.js';

/** The first needs a quarter less of the processor than a whole browser without its windows. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Where they are on macOS, which has no folder of programs for them. */
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium for browser tests: one on the PATH, or an application of macOS. Null when there is none. */
export function findChromium(path = process.env['PATH'] ?? ''): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...applications].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Connects to the browser of this run of the tests; who closes it closes what it opened there. */
export async function connectBrowser(): Promise<Browser> {
  const { endpoint } = await shared('chromium');
  return await chromium.connect(endpoint);
}
