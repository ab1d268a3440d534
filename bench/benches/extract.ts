import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reservePort } from '../../test/support/servers/ports.js';
import { temporaryFolder } from '../../test/support/temporary.js';
import { followCompletions } from '../kit/load/completions.js';
import { makeDocx, makeHtml, makePdf } from '../kit/corpora/documents.js';
import { toCount, type Bench, type Figure } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';
import { startParts } from '../kit/parts.js';

const run = promisify(execFile);
const bare = join(import.meta.dirname, '../bare/extract.mjs');
const mb = 1_000_000;

/** A document to extract, and its amount in a unit. */
interface Document {
  readonly format: 'pdf' | 'docx' | 'html';
  readonly mediaType: string;
  readonly content: Buffer;
  readonly amount: number;
  readonly unit: string;
}

/** How fast the text of large documents is extracted, and whether the worker's event loop is blocked meanwhile. */
export const extract: Bench = {
  name: 'extract',
  about:
    'a PDF of 500 pages, a DOCX of 20 MB (2 MB of it text) and a web page of 5 MB through extract-text, from POST to COMPLETED; the same documents through PDFium, mammoth with turndown, and readability with turndown, in a separate process',
  async run({ scale, say }) {
    const folder = temporaryFolder();
    const parts = await startParts();
    const api = await parts.startApi();
    const address = `127.0.0.1:${await reservePort()}`;
    await parts.startWorker({ KW_WORKER_METRICS_ADDRESS: address });
    const completions = await followCompletions(api.base, api.key);
    try {
      await api.addPipeline('text', [{ plugin_id: 'extract-text', max_attempts: 1, timeout_seconds: 600 }]);
      // Like the comparison, which also extracts the main part.
      await api.client.expect(200, 'PUT', '/plugins/extract-text/config', {
        config: { main_content: 'always' },
      });
      const lags: number[] = [];
      const figures: Figure[] = [];
      for (const { format, mediaType, content, amount, unit } of makeDocuments(scale)) {
        const file = join(folder, `document.${format}`);
        writeFileSync(file, content);
        const rate = async (side: string, work: () => Promise<unknown>): Promise<number> => {
          const value = (amount * 1000) / (await timed(work));
          say(`${format}: ${value.toFixed(2)} ${unit} ${side}`);
          return value;
        };
        const sides = await inTurns(3, {
          ours: async () => {
            const form = new FormData();
            form.set('name', `document.${format}`);
            form.set('type', 'text');
            form.set('file', new Blob([new Uint8Array(content)], { type: mediaType }), `document.${format}`);
            // Reading the value resets earlier measurements.
            await lagOf(address);
            const value = await rate('of ours', async () => {
              const { id } = await api.client.expect(201, 'POST', '/resources', form);
              await completions.of(id as string);
            });
            lags.push(await lagOf(address));
            return value;
          },
          beside: () => rate('bare', () => run(process.execPath, [bare, format, file])),
        });
        figures.push({ what: `text of ${format}`, unit, ...sides, goal: { atLeast: 0.9 } });
      }
      const what = 'p99 of the delay of the worker’s event loop, in the worst extraction';
      return { figures, counts: [toCount(what, 'ms', Math.max(...lags), { atMost: 50 })] };
    } finally {
      await completions.close();
      await parts.stop();
    }
  },
};

function makeDocuments(scale: number): Document[] {
  const pages = Math.max(10, Math.round(500 * scale));
  const [docx, html] = [Math.round(20 * mb * scale), Math.round(5 * mb * scale)];
  return [
    {
      format: 'pdf',
      mediaType: 'application/pdf',
      content: makePdf(pages),
      amount: pages,
      unit: 'pages/s',
    },
    {
      format: 'docx',
      mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      content: makeDocx(docx / 10, docx),
      amount: docx / mb,
      unit: 'MB/s',
    },
    { format: 'html', mediaType: 'text/html', content: makeHtml(html), amount: html / mb, unit: 'MB/s' },
  ];
}

/** Returns the 99th percentile of the worker's event loop delay since the last call, in milliseconds. */
async function lagOf(address: string): Promise<number> {
  const metrics = await (await fetch(`http://${address}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1000;
}
