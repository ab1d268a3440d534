import { extractText } from '../../plugins/extract-text/index.js';
import { runPlugin } from '@knowledge-warehouse/plugin/testing';
import { recallOf, type Recall } from '../../test/plugins/support/html-recall.js';
import { toCount, type Bench } from '../kit/figure.js';
import { fetchManuals } from '../kit/corpora/manuals.js';

/** The minimum share of a page's visible content that its text must contain. */
const goals: Readonly<Record<keyof Recall, number>> = {
  words: 0.98,
  headings: 0.98,
  items: 0.98,
  cells: 0.9,
  code: 0.98,
  links: 0.98,
};

/** Whether the text of uploaded HTML is complete. */
export const recall: Bench = {
  name: 'recall',
  about:
    'fifteen HTML manual pages from Debian, uploaded: the lowest share of words, headings, list items, cells, lines of code and links found in the extracted text',
  async run({ say }) {
    const least = { words: 1, headings: 1, items: 1, cells: 1, code: 1, links: 1 };
    for (const { name, html } of await fetchManuals(say)) {
      const { artifacts } = await runPlugin(extractText, { source: html, name, mediaType: 'text/html' });
      const found = recallOf(html.toString(), artifacts.get('text')?.content as string);
      const shares = Object.entries(found) as [keyof Recall, number][];
      say(`${name}: ${shares.map(([what, share]) => `${what} ${share.toFixed(3)}`).join(', ')}`);
      for (const [what, share] of shares) least[what] = Math.min(least[what], share);
    }
    const counts = (Object.keys(goals) as (keyof Recall)[]).map((what) =>
      toCount(`recall of ${what}, of the worst page`, '', least[what], { atLeast: goals[what] }),
    );
    return { figures: [], counts };
  },
};
