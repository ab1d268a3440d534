import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { shared } from '../shared/servers.js';

/** The headless shell comes first: it needs a quarter less CPU than a headless full browser. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Their paths on macOS, where programs are not on the PATH. */
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of a Chromium for browser tests: on the PATH, or an application on macOS; null if there is none. */
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

/** Connects to the shared browser of this test run. Closing the connection closes what was opened through it. */
export async function connectBrowser(): Promise<Browser> {
  const { endpoint } = await shared('chromium');
  return await chromium.connect(endpoint);
}
