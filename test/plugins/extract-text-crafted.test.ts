import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chunkRecords } from '../../plugins/chunk-text/records.js';
import { extract } from '../../plugins/extract-text/extract.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { isFull } from '../support/full.js';
import { crafted, craftedTexts } from './support/crafted.js';

const small = isFull ? 1_500 : 750;
const factor = 8;
/** Each of these rows makes up to 63 cells, so fewer show the same. */
const smaller: Readonly<Record<string, number>> = isFull ? {} : { 'cells that span columns': 400 };
/** What time in proportion to the size comes to, and what remains for a busy machine; by the square it would be 64. */
const mostGrowth = 3 * factor;
/** Less is lost in what every document costs. */
const leastMs = isFull ? 12 : 8;

describe('a crafted document', function () {
  this.timeout(300_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'kw-crafted-'))));
  after(() => rmSync(folder, { recursive: true }));

  /** Reads a document, as the child does. What is refused as nested too deeply, or as too much text, is read far enough. */
  async function read(name: string, content: string | Buffer): Promise<void> {
    const bytes = Buffer.from(content as string);
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const fd = openSync(path, 'r');
    const source = {
      fd,
      sizeBytes: bytes.length,
      read: (position: number, length: number) => bytes.subarray(position, position + length),
    };
    const limits = {
      maxUnpackedBytes: 536_870_912,
      mainContent: 'never',
      progress: () => undefined,
    } as const;
    try {
      await extract({ source, name, mediaType: null, ...limits }, 33_554_432);
    } catch (error) {
      if (!(error instanceof PluginFailure)) throw error;
    } finally {
      closeSync(fd);
    }
  }

  async function cut(text: string): Promise<void> {
    const sizes = { unit: 'tokens', encoding: 'o200k_base', size: 512, overlap: 64 } as const;
    for await (const chunk of chunkRecords(text, sizes, { isMarkdown: true, pages: null }))
      assert(chunk.text.length > 0);
  }

  for (const [format, cases] of Object.entries(crafted)) {
    for (const [what, make] of Object.entries(cases)) {
      it(`of ${what} takes time proportional to its size, as ${format}`, async () => {
        await assertLinear(make, (content) => read(`crafted.${format}`, content), smaller[what]);
      });
    }
  }

  for (const [what, make] of Object.entries(craftedTexts)) {
    it(`of ${what} is cut into chunks in time proportional to its size`, () => assertLinear(make, cut));
  }
});

/** Compares the processor's time, which other processes do not take from. */
async function assertLinear<T>(
  make: (n: number) => T,
  work: (content: T) => Promise<void>,
  least = small,
): Promise<void> {
  const timed = async (n: number): Promise<number> => {
    const content = make(n);
    const before = process.cpuUsage();
    await work(content);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  // What is loaded and compiled once is not to count.
  await timed(least / 10);
  const one = Math.max(leastMs, await timed(least));
  let many = await timed(least * factor);
  if (many > one * mostGrowth) many = await timed(least * factor);
  assert(
    many <= one * mostGrowth,
    `${Math.round(one)} ms, then ${Math.round(many)} ms for ${factor} times as much`,
  );
}
