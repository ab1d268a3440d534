import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { Answer } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import type { RestClient } from '../support/service/rest-client.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

interface Chunk {
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly page_start: number | null;
  readonly page_end: number | null;
  readonly headings: readonly string[];
}

interface Read {
  readonly text: string;
  readonly metadata: Record<string, unknown>;
  readonly chunks: readonly Chunk[];
}

describe('documents, from registration to chunks', () => {
  let service: WebService;
  let client: RestClient;
  let site: RemoteSite;

  before(async () => {
    site = await startRemoteSite();
    service = await startWebService({ env: { KW_URL_ALLOW: site.host } });
    ({ client } = service);
  });
  after(async () => {
    await service.stop();
    await site.stop();
  });

  /** Checks what every document must have in the end, and returns it. */
  const read = async (id: string): Promise<Read> => {
    const resource = await client.settled(id);
    assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
    assert.deepEqual(
      resource.artifacts.map(({ type, step_index }: Answer['body']) => [type, step_index]).sort(),
      [
        ['chunks', 1],
        ['metadata', 0],
        ['text', 0],
      ],
    );
    const [text, metadata, chunks] = [
      await client.artifact(resource, 'text'),
      await client.artifact(resource, 'metadata'),
      await client.artifact(resource, 'chunks'),
    ];
    assert.deepEqual(
      [text, metadata, chunks].map((artifact) => artifact.content_type),
      ['text', 'json', 'json'],
    );
    const codePoints = [...text.content];
    const pieces = chunks.content.chunks as Chunk[];
    for (const [index, chunk] of pieces.entries()) {
      assert.equal(chunk.index, index);
      assert.equal(chunk.text, codePoints.slice(chunk.start, chunk.end).join(''));
      assert.ok(chunk.start <= (pieces[index - 1]?.end ?? 0), `a gap before chunk ${index}`);
    }
    assert.equal(pieces.at(-1)?.end, codePoints.length);
    return { text: text.content, metadata: metadata.content, chunks: pieces };
  };

  it('a PDF of 130 pages', async () => {
    const { id } = await client.upload('document', { fixture: 'handbook.pdf' });
    const { text, metadata, chunks } = await read(id);
    for (let page = 1; page <= 130; page++)
      assert.ok(text.includes(`Section ${page}.3 applies to file series ${page}03.`));
    const { page_count, title, author, language } = metadata;
    assert.deepEqual(
      { page_count, title, author, language },
      {
        page_count: 130,
        title: 'Archive Handbook',
        author: 'Records Office',
        language: 'en-GB',
      },
    );
    const [chunk] = chunks.filter((each) => each.text.includes('Section 77.2 applies'));
    assert.ok(chunk?.page_start && chunk.page_end && chunk.page_start <= 77 && chunk.page_end >= 77);
    assert.ok(chunk.page_end - chunk.page_start <= 2, 'a chunk has a page or two');
  });

  it('a DOCX', async () => {
    const { id } = await client.upload('document', { fixture: 'minutes.docx' });
    const { text, metadata, chunks } = await read(id);
    assert.deepEqual(
      [chunks[0]?.page_start, chunks[0]?.page_end, chunks[0]?.headings],
      [null, null, ['Minutes of the board']],
    );
    assert.match(text, /approved the \*\*annual budget\*\* without a vote against\./);
    assert.match(text, /Zażółć gęślą jaźń; 会議は終了しました。 😀/);
    assert.deepEqual([metadata['title'], metadata['author']], ['Minutes of the board', 'Ada Okafor']);
  });

  it('an HTML file', async () => {
    const { id } = await client.upload('document', { fixture: 'article.html' });
    const { text, metadata } = await read(id);
    assert.match(text, /Most gauges stand in a \*\*stilling well\*\*/);
    // An upload is content: all that a reader sees of it is kept.
    assert.match(text, /Sign in/);
    assert.ok(!/should never be seen/.test(text), text);
    assert.equal(metadata['author'], 'Rosa Lindgren');
  });

  it('a file whose name and media type are wrong', async () => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ name: 'minutes.txt', type: 'document' }))
      form.append(field, value);
    const minutes = await readFile(new URL('../fixtures/minutes.docx', import.meta.url));
    form.append('file', new Blob([minutes], { type: 'text/plain' }), 'minutes.txt');
    const { id } = await client.expect(201, 'POST', '/resources', form);
    assert.equal((await read(id)).metadata['format'], 'docx');
  });

  it('a page by its URL', async () => {
    const page = await readFile(new URL('../fixtures/article.html', import.meta.url));
    site.handle = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const { id, source_uri } = await client.addUrl('webpage', `${site.url}/tides`);
    assert.equal(source_uri, `${site.url}/tides`);
    assert.match((await read(id)).text, /A tide gauge measures how high the sea stands/);
    const { size_bytes, media_type } = await client.expect(200, 'GET', `/resources/${id}`);
    assert.deepEqual([size_bytes, media_type], [page.length, 'text/html']);
  });

  it('in the encoding that their server declares, unless it is wrong', async () => {
    const words = 'naïve café déjà vu';
    for (const [encoding, charset, stored] of [
      ['latin1', 'ISO-8859-1', 'text/plain; charset=iso-8859-1'],
      ['utf8', 'ISO-8859-1', 'text/plain'],
    ] as const) {
      site.handle = (_, response) =>
        response.writeHead(200, { 'content-type': `text/plain; charset=${charset}` }).end(words, encoding);
      const { id } = await client.addUrl('webpage', `${site.url}/${encoding}`);
      assert.equal((await read(id)).text, words);
      assert.equal((await client.expect(200, 'GET', `/resources/${id}`)).media_type, stored);
      const source = await fetch(`${service.api}/api/v1/resources/${id}/source`, {
        headers: { authorization: `Bearer ${service.core.adminKey}` },
      });
      assert.match(
        source.headers.get('content-type')!,
        new RegExp(`charset=${stored === 'text/plain' ? 'utf-8' : 'iso-8859-1'}$`),
      );
    }
  });

  it('of a type without a pipeline wait for one', async () => {
    const { id, ...resource } = await client.upload('memo', { text: 'Buy milk.' });
    assert.deepEqual(
      [resource.status, resource.no_matching_pipeline, resource.run, resource.workflow_id],
      ['PENDING', true, 0, null],
    );
    const refused = await client.expect(409, 'POST', `/resources/${id}/reprocess`);
    assert.equal(refused.error.code, 'NO_MATCHING_PIPELINE');

    const steps = ['extract-text', 'chunk-text'].map((plugin_id) => ({ plugin_id }));
    await client.expect(201, 'POST', '/pipelines', { name: 'Memos', trigger_type: 'memo', steps });
    const matched = await client.expect(200, 'GET', `/resources/${id}`);
    assert.deepEqual([matched.status, matched.no_matching_pipeline], ['PENDING', false]);
    const accepted = await client.expect(202, 'POST', `/resources/${id}/reprocess`);
    assert.deepEqual([accepted.status, accepted.run], ['PROCESSING', 1]);
    assert.equal((await read(id)).text, 'Buy milk.');
  });

  it('that are processed again keep their artifacts’ ids and get new content', async () => {
    const answer = (text: string): void => {
      site.handle = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
    };
    const idsOf = (resource: Answer['body']): unknown =>
      Object.fromEntries(resource.artifacts.map((artifact: Answer['body']) => [artifact.type, artifact.id]));
    answer('The first edition.');
    const { id } = await client.addUrl('webpage', `${site.url}/news`);
    assert.equal((await read(id)).text, 'The first edition.');
    const first = await client.expect(200, 'GET', `/resources/${id}`);

    answer('The second edition, corrected.');
    await client.expect(202, 'POST', `/resources/${id}/reprocess`);
    assert.equal((await read(id)).text, 'The second edition, corrected.');
    const second = await client.expect(200, 'GET', `/resources/${id}`);
    assert.deepEqual(idsOf(second), idsOf(first));
    assert.notEqual(second.sha256, first.sha256);
    assert.deepEqual([first.run, second.run], [1, 2]);
    assert.ok(second.artifacts.every((artifact: Answer['body']) => artifact.run === 2));
    const { items } = await client.expect(200, 'GET', `/resources/${id}/runs`);
    assert.deepEqual(
      items.map(({ run, status }: Answer['body']) => [run, status]),
      [
        [2, 'COMPLETED'],
        [1, 'COMPLETED'],
      ],
    );
  });

  it('cannot be deleted while they are processed, but can be afterwards', async () => {
    const held: ServerResponse[] = [];
    site.handle = (_, response) => void held.push(response);
    const { id } = await client.addUrl('webpage', `${site.url}/slow`);
    const response = await eventually(() => held[0]);
    assert.equal((await client.expect(409, 'DELETE', `/resources/${id}`)).error.code, 'RESOURCE_PROCESSING');
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Here at last.');
    assert.equal((await read(id)).text, 'Here at last.');
    await client.expect(204, 'DELETE', `/resources/${id}`);
    assert.equal((await client.expect(404, 'GET', `/resources/${id}`)).error.code, 'NOT_FOUND');
  });

  for (const url of [
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
  ]) {
    it(`are not fetched from ${url}`, async () => {
      const source = { kind: 'URL', url };
      const { error } = await client.expect(400, 'POST', '/resources', {
        name: 'no',
        type: 'webpage',
        source,
      });
      assert.equal(error.code, 'URL_NOT_ALLOWED');
    });
  }

  it('that are encrypted fail at once with a reason', async () => {
    const { id } = await client.upload('document', { fixture: 'locked.pdf' });
    const { status, error, steps, artifacts } = await client.settled(id);
    assert.deepEqual([status, error.code, error.step, artifacts], ['FAILED', 'ENCRYPTED_FILE', 0, []]);
    assert.deepEqual([steps[0].attempt, steps[0].max_attempts, steps[1].status], [1, 3, 'PENDING']);
  });
});
