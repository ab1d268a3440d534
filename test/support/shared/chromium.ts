import { chromium } from 'playwright-core';
import { findChromium } from '../browser/chromium.js';
import type { SharedServer } from './servers.js';

export interface ChromiumInfo {
  /** The endpoint that clients connect to. */
  readonly endpoint: string;
}

/** Disables the browser's background activity. */
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One renderer for the pages of a service: starting one, and compiling the page's code in it, takes processor time.
  '--process-per-site',
  '--renderer-process-limit=1',
];

export async function startSharedChromium(): Promise<SharedServer<ChromiumInfo>> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('There is no Chromium on the PATH.');
  const server = await chromium.launchServer({ executablePath, args, host: '127.0.0.1' });
  return { info: { endpoint: server.wsEndpoint() }, stop: () => server.close() };
}
