import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { pino } from 'pino';
import { startIndexer, type Indexer } from '../../activities/search/indexer.js';
import { readQuestions } from '../../cli/search/questions.js';
import { createRebuildHints } from '../../cli/search/rebuild-hints.js';
import { chunkText } from '../../plugins/chunk-text/index.js';
import { embed } from '../../plugins/embed/index.js';
import { extractText } from '../../plugins/extract-text/index.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { createKw, type Kw } from '../support/service/kw.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Its chunks break the rules, so they cannot be indexed. */
const breakChunks = definePlugin({
  id: 'break-chunks',
  name: 'Break chunks',
  version: '1.0.0',
  produces: ['chunks'],
  async run(ctx) {
    await ctx.emit({ type: 'chunks', content_type: 'json', content: { chunks: [{}] } });
  },
});

describe('kw search and kw eval', () => {
  let core: TestCore;
  let indexer: Indexer;
  let kw: Kw;
  let reranker: Server;
  /** What the reranker answers to texts; it fails without. */
  let scores: ((texts: readonly string[]) => unknown) | null = null;
  const asked: any[] = [];

  before(async () => {
    reranker = createServer((request, response) => {
      const parts: Buffer[] = [];
      request
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const body = JSON.parse(Buffer.concat(parts).toString());
          asked.push(body);
          response.statusCode = scores === null ? 500 : 200;
          response.end(JSON.stringify(scores?.(body.texts) ?? {}));
        });
    });
    await new Promise<void>((resolve) => reranker.listen(0, '127.0.0.1', resolve));
    const { port } = reranker.address() as AddressInfo;
    core = await startCore({
      plugins: [extractText, chunkText, embed, breakChunks],
      env: {
        KW_RERANK_URL: `http://127.0.0.1:${port}/rerank`,
        KW_RERANK_MODEL: 'ranker',
        KW_LOG_LEVEL: 'fatal',
      },
    });
    indexer = startIndexer(core.deps);
    kw = createKw({ KW_URL: core.base, KW_API_KEY: core.adminKey });
    await core.pipeline('document', { plugin_id: 'extract-text' }, { plugin_id: 'chunk-text' });
    const texts = {
      otters: 'Otters hold hands. The otter otter otter sleeps.',
      beavers: 'Beavers build dams, unlike an otter.',
    };
    for (const [name, text] of Object.entries(texts))
      await core.settled((await core.register('document', text, name)).body.id);
    await eventually(async () => (await core.call('GET', '/search/status')).body.chunks === 2);
  });

  after(async () => {
    await indexer.stop();
    await core.stop();
    reranker.close();
  });

  const namesIn = (stdout: string): string[] => stdout.match(/^\S+/gm) ?? [];

  it('prints hits with their URLs, or the response itself', async () => {
    const { code, stdout, stderr } = await kw('search', 'otter', '-nothing');
    assert.equal(code, 0, stderr);
    assert.deepEqual(namesIn(stdout), ['otters', 'beavers'], stderr);
    assert.match(stdout, /^ {2}Otters hold hands\./m);
    assert.match(stdout, new RegExp(`^  ${core.base}/resources/[0-9a-f-]{36}\\?`, 'm'));
    const json = JSON.parse((await kw('search', '"build dams"', '--json')).stdout);
    assert.deepEqual(
      json.items.map(({ resource }: any) => resource.name),
      ['beavers'],
    );
    assert.equal(
      (await kw('search', 'otter', '--type', 'other')).stderr,
      'Nothing found. Search without --type, or try other words.\n',
    );
    for (const q of ['-otter -"build dams"', '""'])
      assert.match(
        (await kw('search', q)).stderr,
        /^Nothing found: a search needs at least one word to find/,
      );
    assert.match((await kw('search', '-otter --amend')).stderr, /^Nothing found\. Try other words/);
    const typed = await kw('search', '--type', 'other', '--type', 'document', 'dams');
    assert.deepEqual(namesIn(typed.stdout), ['beavers'], typed.stderr);
    const excluding = await kw('search', 'otter', '-Vienna', '-hotel', '-V');
    assert.deepEqual(namesIn(excluding.stdout), ['otters', 'beavers'], excluding.stderr);
    assert.match((await kw('-V')).stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal((await kw('search')).code, 2);
    const mistyped = await kw('search', 'otter', '--tpye', 'a');
    assert.deepEqual([mistyped.code, /kw search -- --tpye$/m.test(mistyped.stderr)], [2, true]);
    for (const words of [
      ['--', '--dams'],
      ['-Vienna', '--', '--dams', '-hotel'],
    ]) {
      const { stdout, stderr } = await kw('search', ...words);
      assert.deepEqual(namesIn(stdout), ['beavers'], stderr);
    }
    const subcommand = await kw('search', '--', 'rebuild');
    assert.deepEqual(
      [subcommand.code, subcommand.stderr],
      [2, 'To search for "rebuild", quote it: kw search \'"rebuild"\'\n'],
    );
    for (const [option, value] of [
      ['--per-resource', '51'],
      ['--limit', '0'],
      ['--limit', 'x'],
    ] as const) {
      const { code, stderr } = await kw('search', 'otter', option, value);
      assert.deepEqual([code, /whole number from 1 to 50\./.test(stderr)], [2, true], stderr);
    }
    assert.match((await kw('ls', '--limit', 'x')).stderr, /It must be a whole number, 1 or more\./);
    const marked = await kw.terminal('search', 'otter').ended;
    assert.match(marked.stdout, /\x1b\[33mOtters\x1b\[0m/);
  });

  it('shows the part of a long text with the most of the words', async () => {
    const dust = 'Dust the shelves weekly. '.repeat(30);
    const text = `Work is done here. ${dust}When a worker is killed, its step is repeated. ${dust}`;
    await core.settled((await core.register('document', text, 'promises')).body.id);
    await eventually(async () => (await core.call('GET', '/search/status')).body.chunks === 3);
    const { stdout } = await kw('search', 'killed worker');
    assert.match(stdout, /^ {2}….*When a worker is killed, its/m);
    assert.doesNotMatch(stdout, /Work is done/);
    await core.call('DELETE', `/resources/${/resources\/([0-9a-f-]{36})/.exec(stdout)![1]}`);
    await eventually(async () => (await core.call('GET', '/search/status')).body.chunks === 2);
  });

  it('uses a reranker, and continues without it', async () => {
    scores = (texts) => ({
      results: texts.map((text, index) => ({ index, relevance_score: text.startsWith('Beavers') ? 2 : 1 })),
    });
    const best = await kw('search', 'otter');
    assert.deepEqual(namesIn(best.stdout), ['beavers', 'otters'], best.stderr);
    assert.deepEqual([asked.at(-1).query, asked.at(-1).model], ['otter', 'ranker']);
    scores = (texts) => texts.map((text, index) => ({ index, score: text.startsWith('Beavers') ? 1 : 2 }));
    assert.deepEqual(namesIn((await kw('search', 'otter')).stdout), ['otters', 'beavers']);
    scores = null;
    assert.deepEqual(namesIn((await kw('search', 'otter')).stdout), ['otters', 'beavers']);
  });

  it('shows the status, and rebuilds the index', async () => {
    assert.match((await kw('search', 'status')).stdout, /^holds {6}2 chunks of 2 resources$/m);
    const { code, stdout } = await kw('search', 'rebuild');
    assert.deepEqual([code, stdout], [0, 'Rebuilt: 2 chunks of 2 resources.\n']);
    assert.equal(JSON.parse((await kw('search', 'status', '--json')).stdout).rebuilding, false);
  });

  it('says once why a rebuild makes no progress', async () => {
    await indexer.stop();
    const rebuild = kw.start('search', 'rebuild');
    const failing = await eventually(async () => {
      const rows = await core.deps
        .db('search_indexes')
        .where({ state: 'BUILDING' })
        .update({ upkeep_failing_since: core.deps.db.fn.now() }, 'upkeep_failing_since');
      return rows.length > 0 && rows[0].upkeep_failing_since.toISOString();
    });
    const hint = `upkeep or rebuild failing since ${failing}: the worker's log says why\n`;
    await eventually(() => rebuild.said.stderr === hint);
    assert.ok((await kw('search', 'status')).stdout.includes(hint));
    indexer = startIndexer(core.deps);
    assert.deepEqual(await rebuild.ended, {
      ...{ code: 0, stdout: 'Rebuilt: 2 chunks of 2 resources.\n', stderr: hint },
    });

    let now = 0;
    const printedAt = (done: readonly number[]): string[] => {
      const hintsFor = createRebuildHints(() => now);
      return done.map((resources) => {
        const rebuild = { started_at: '', resources, total: 2 };
        const hints = hintsFor({ rebuild, upkeep_failing_since: null });
        now += 15_000;
        return hints.join();
      });
    };
    // The end of a rebuild may take long.
    assert.equal(printedAt([0, 2, 2, 2, 2]).join(''), '');
    const printed = printedAt([0, 0, 1, 1, 1, 1]);
    assert.match(printed[4]!, /^No progress for 30 seconds\. Check that a worker runs/);
    assert.equal(printed.join(''), printed[4]);
  });

  it('does not call a rebuild done that a worker with another location abandoned', async () => {
    await indexer.stop();
    const logged: { msg: string }[] = [];
    const log = pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line)) });
    const searchUri = `lancedb:${join(kw.folder, 'elsewhere')}`;
    const other = startIndexer({ ...core.deps, log, config: { ...core.deps.config, searchUri } });
    try {
      const { code, stdout, stderr } = await kw('search', 'rebuild');
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, /abandoned.*KW_SEARCH_URI/);
    } finally {
      await other.stop();
      indexer = startIndexer(core.deps);
    }
    const [current, building, ...more] = new Set(logged.map(({ msg }) => msg));
    assert.match(current ?? '', /gets no changes/);
    assert.match(building ?? '', /abandoned/);
    assert.deepEqual(more, []);
  });

  it('names what could not be indexed, with the reason', async () => {
    await core.pipeline('broken', { plugin_id: 'break-chunks' });
    const { id } = (await core.register('broken', 'text', 'broken chunks')).body;
    await core.settled(id);
    await eventually(async () => (await core.call('GET', '/search/status')).body.failed === 1);
    const { stdout } = await kw('search', 'status');
    assert.match(stdout, new RegExp(`^failed {5}1\n {11}${id} broken chunks: INVALID_CHUNKS: .*text`, 'm'));
    await core.call('DELETE', `/resources/${id}`);
    await eventually(async () => (await core.call('GET', '/search/status')).body.failed === 0);
  });

  it('evaluates questions in JSON Lines and CSV', async () => {
    const lines = [
      { question: 'who holds hands', resources: ['otters'] },
      { question: 'dams', resources: ['beavers', 'otters'] },
      { question: 'penguins', resources: ['otters'] },
    ];
    writeFileSync(join(kw.folder, 'q.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const { stdout, stderr } = await kw('eval', 'q.jsonl', '--json');
    assert.ok(stdout !== '', stderr);
    const [text, ...more] = JSON.parse(stdout);
    assert.deepEqual(more, []);
    assert.match(stderr, /^vector: left out, NO_EMBEDDER$/m);
    const close = (value: number, wanted: number): void =>
      assert.ok(Math.abs(value - wanted) < 1e-9, `${value}`);
    assert.deepEqual([text.mode, text.questions, text.missed], ['text', 3, ['penguins']]);
    close(text['recall@1'], 1.5 / 3);
    close(text['recall@5'], 1.5 / 3);
    close(text.mrr, 2 / 3);
    // Two resources with one name are one right answer.
    for (let twin = 1; twin <= 2; twin++)
      await core.settled((await core.register('document', 'Twins are alike.', 'twins')).body.id);
    await eventually(async () => (await core.call('GET', '/search/status')).body.chunks === 4);
    const twins = JSON.stringify({ question: 'twins', resources: ['twins', 'walruses'] });
    const half = await kw.fed(twins, 'eval', '-', '--mode', 'text', '--json');
    const [row] = JSON.parse(half.stdout);
    assert.doesNotMatch(stderr, /Warning/);
    assert.match(
      half.stderr,
      /^Warning: in standard input, 1 id or name matches no resource and counts as not found: walruses$/m,
    );
    assert.deepEqual([row['recall@1'], row['recall@5']], [0.5, 0.5]);
    // Each line may have another line break.
    const { items } = (await core.call('GET', '/search?q=dams')).body;
    const shouted = JSON.stringify({ question: 'dams', resources: [items[0].resource.id.toUpperCase()] });
    assert.match((await kw.fed(shouted, 'eval', '-', '--mode', 'text')).stdout, /^text +1 +1\.000/m);
    const csv = 'Question,Resources\r\n"who, ""hold"" hands",otters\ndams,beavers\r';
    assert.match((await kw.fed(csv, 'eval', '-', '--mode', 'text')).stdout, /^text +2 +1\.000 +1\.000/m);
    const semicolons = 'question;resources\n5" zebras;"otters;walruses"\n';
    const { stderr: unfound } = await kw.fed(semicolons, 'eval', '-', '--mode', 'text');
    assert.match(
      unfound,
      /counts as not found: walruses\ntext: no expected resource among the first ten hits: 5" zebras\n$/,
    );
    const short = await kw.fed('question,resources\ndams\n', 'eval', '-');
    assert.equal(short.stderr, 'standard input: row 2 has 1 cell, but row 1 has 2.\n');
    writeFileSync(join(kw.folder, 'bad.jsonl'), '{"question": "a"}\n');
    const bad = await kw('eval', 'bad.jsonl');
    assert.equal(bad.code, 1);
    assert.match(bad.stderr, /bad\.jsonl:1 needs "question" and "resources"/);
  });

  it('says which line or row is no question', async () => {
    const path = join(kw.folder, 'questions');
    const mustFail = async (text: string, problem: string): Promise<void> => {
      writeFileSync(path, text);
      await assert.rejects(readQuestions(path), { message: `${path}${problem}` });
    };
    await mustFail(
      'question,resources\ndams,beavers\nwhat, why,otters',
      ': row 3 has 3 cells, but row 1 has 2. A cell that contains the separator needs quotation marks.',
    );
    await mustFail(
      'question,resources\ndams,beavers\n\n"dams,beavers\n',
      ': row 4 is not CSV: Quoted field unterminated.',
    );
    const line = JSON.stringify({ question: 'dams', resources: ['beavers'] });
    for (const question of [' ', 'x'.repeat(1_001)]) {
      const unasked = JSON.stringify({ question, resources: ['otters'] });
      await mustFail(`${line}\n${line}\n${unasked}`, ':3 needs a question of 1 to 1,000 characters.');
      await mustFail(
        `question,resources\n\n"${question}",otters\n`,
        ': row 3 needs a question of 1 to 1,000 characters.',
      );
    }
  });

  it('says why it searches by words only, and measures other modes when the embedder is down', async () => {
    const assertNotice = async (reason: string): Promise<void> =>
      assert.equal(
        (await kw('search', '--mode', 'hybrid', 'dams')).stderr,
        `Searched by words only: ${reason}.\n`,
      );
    await assertNotice('the plugin embed is inactive or its config lacks base_url or model');
    const config = { base_url: 'http://127.0.0.1:9', model: 'm1' };
    assert.equal((await core.call('PUT', '/plugins/embed/config', { config })).status, 200);
    await assertNotice('no resource has vectors of the model in the config of the plugin embed');
    const { id } = await core.deps.db('search_indexes').where({ state: 'CURRENT' }).first('id');
    await core.deps.db('search_vectors').insert({ index_id: id, dimensions: 3, model: 'm1' });
    await assertNotice('the endpoint of the plugin embed returned no vector for the query');
    const question = JSON.stringify({ question: 'dams', resources: ['beavers'] });
    const { code, stdout, stderr } = await kw.fed(question, 'eval', '-', '--json');
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      JSON.parse(stdout).map(({ mode }: any) => mode),
      ['text'],
    );
    for (const mode of ['vector', 'hybrid'])
      assert.match(stderr, new RegExp(`^${mode}: left out, EMBEDDER_UNAVAILABLE$`, 'm'));
    assert.deepEqual(await kw.fed(question, 'eval', '-', '--mode', 'vector', '--json'), {
      ...{ code: 1, stdout: '', stderr: 'vector: left out, EMBEDDER_UNAVAILABLE\n' },
    });
  });
});
