import { resolve } from 'node:path';
import { createKw } from '../../test/support/service/kw.js';
import { createRestClient, type RestClient } from '../../test/support/service/rest-client.js';
import { startStack } from '../../test/support/service/stack.js';
import { eventually } from '../../test/support/eventually.js';
import { toCount, type Bench, type Count } from '../kit/figure.js';
import { manyAtOnce } from '../kit/in-turns.js';
import {
  fetchCorpora,
  languages,
  type CorpusDocument,
  type Language,
} from '../kit/corpora/search-corpora.js';
import { startSending } from '../kit/load/sending.js';

const atOnce = 20;
const settledWithinMs = 60 * 60_000;

/**
 * The minimum number of questions with the right document among the first five results. Held-out questions have no goal
 * and are asked last.
 */
const questions: readonly {
  readonly language: Language;
  readonly file: string;
  readonly goal: number | null;
}[] = [
  { language: 'en', file: 'en', goal: 36 },
  ...(['de', 'ja', 'zh', 'ar'] as const).map((language) => ({ language, file: language, goal: 8 })),
  ...languages.map((language) => ({ language, file: `${language}.held-out`, goal: null })),
];

/** The output of `kw eval --json` for a mode. */
interface Evaluated {
  readonly questions: number;
  readonly 'recall@1': number;
  readonly 'recall@5': number;
  readonly mrr: number;
  readonly missed: readonly string[];
}

/** Whether questions find the document that answers them, among documents that were not written for the questions. */
export const quality: Bench = {
  name: 'quality',
  about:
    'kw eval in text mode, against a service started with kw start: questions with the right document among the first five results',
  async run({ say }) {
    const corpora = await fetchCorpora(say);
    const stack = await startStack({ env: { KW_RATE_LIMIT: '0' } });
    try {
      const { api, adminKey } = stack;
      const client = createRestClient({ api, adminKey });
      // Each language is a type with the steps of `document`, so that a question searches only its own language.
      const steps = [{ plugin_id: 'extract-text' }, { plugin_id: 'chunk-text' }];
      for (const language of languages) {
        await client.expect(201, 'POST', '/pipelines', { name: language, trigger_type: language, steps });
        say(`${corpora[language].length} documents in ${language}`);
        await register({ base: api, key: adminKey }, language, corpora[language]);
      }
      await searchable(client);
      const kw = createKw({ KW_URL: api, KW_API_KEY: adminKey });
      const counts: Count[] = [];
      for (const { language, file, goal } of questions) {
        const path = resolve('bench/questions', `${file}.jsonl`);
        const words = ['eval', path, '--type', language, '--mode', 'text', '--json'];
        const { code, stdout, stderr } = await kw(...words);
        if (code !== 0) throw new Error(stderr);
        const [found] = JSON.parse(stdout) as [Evaluated];
        for (const question of found.missed)
          say(`${file}: no right document among the first ten hits: ${question}`);
        const answered = Math.round(found['recall@5'] * found.questions);
        const least = goal === null ? null : { atLeast: goal };
        counts.push(toCount(`${file}, of ${found.questions}`, 'questions', answered, least));
        say(`${file}: first ${found['recall@1'].toFixed(2)}, mean reciprocal rank ${found.mrr.toFixed(2)}`);
      }
      return { figures: [], counts };
    } finally {
      await stack.stop();
    }
  },
};

/** Registers documents as plain text files. */
async function register(
  api: { readonly base: string; readonly key: string },
  type: string,
  documents: readonly CorpusDocument[],
): Promise<void> {
  const sending = startSending(api, atOnce);
  try {
    await manyAtOnce(documents.length, atOnce, async (index) => {
      const { name, text } = documents[index] ?? { name: '', text: '' };
      const file = { fileName: `${name}.txt`, mediaType: 'text/plain', content: Buffer.from(text) };
      await sending.send(file, type, name);
    });
  } finally {
    await sending.close();
  }
}

/** Waits until every resource is COMPLETED and indexed. */
async function searchable(client: RestClient): Promise<void> {
  await eventually(
    async () => {
      const open = await client.expect(200, 'GET', '/resources?status=PENDING&status=PROCESSING&limit=1');
      const { pending } = await client.expect(200, 'GET', '/search/status');
      return (open.items as unknown[]).length === 0 && pending === 0;
    },
    { timeoutMs: settledWithinMs, intervalMs: 500 },
  );
  const failed = await client.expect(200, 'GET', '/resources?status=FAILED&limit=1');
  if ((failed.items as unknown[]).length > 0) throw new Error('A document could not be read.');
}
