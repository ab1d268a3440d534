import assert from 'node:assert/strict';
import { ApiError, Unreachable } from '@knowledge-warehouse/client';
import { sendThroughOutages } from '../../web/src/uploads/send-through-outages.js';
import {
  createUploadQueue,
  isUnreadable,
  type NewItem,
  type QueueItem,
} from '../../web/src/uploads/upload-queue.js';
import { nameOfUrl, readUrls, toItems } from '../../web/src/adding/draft.js';
import { explain } from '../../web/src/parts/messages/explain.js';
import { eventually } from '../support/eventually.js';

interface Sent {
  readonly item: QueueItem;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  readonly resolve: (id: string) => void;
  readonly reject: (error: Error) => void;
}

const urls = (count: number): readonly NewItem[] =>
  Array.from({ length: count }, (_item, index) => ({
    name: `page ${index}`,
    type: 'webpage',
    source: { kind: 'URL' as const, url: `https://example.com/${index}` },
  }));

function queueOf(): { queue: ReturnType<typeof createUploadQueue>; sent: Sent[]; kinds: () => string[] } {
  const sent: Sent[] = [];
  let ids = 0;
  const queue = createUploadQueue(
    (item, signal, onProgress) =>
      new Promise((resolve, reject) => {
        sent.push({ item, signal, onProgress, resolve, reject });
        signal.addEventListener('abort', () => reject(new Error('cancelled')));
      }),
    () => `key-${ids++}`,
  );
  queue.resume('alice');
  return { queue, sent, kinds: () => queue.items().map(({ state }) => state.kind) };
}

describe('the upload queue', () => {
  it('sends four items at once, and the next when one has ended', async () => {
    const { queue, sent, kinds } = queueOf();
    queue.add(urls(6));
    assert.deepEqual(kinds(), ['sending', 'sending', 'sending', 'sending', 'waiting', 'waiting']);
    sent[1]?.resolve('resource-1');
    await eventually(() => sent.length === 5);
    assert.deepEqual(kinds(), ['sending', 'done', 'sending', 'sending', 'sending', 'waiting']);
  });

  it('retries a failed one with the same key', async () => {
    const { queue, sent, kinds } = queueOf();
    queue.add(urls(1));
    // A proxy refuses it, which says nothing about the session.
    sent[0]?.reject(new ApiError(401, 'HTTP_401', 'refused'));
    await eventually(() => kinds()[0] === 'failed');
    queue.retry('key-0');
    assert.deepEqual(
      sent.map(({ item }) => item.id),
      ['key-0', 'key-0'],
    );
    // What the try before still says is not heard.
    sent[0]?.onProgress(99);
    assert.deepEqual(queue.items()[0]?.state, { kind: 'sending', sentBytes: 0 });
  });

  it('cancels items that are being sent or waiting', async () => {
    const { queue, sent, kinds } = queueOf();
    queue.add(urls(5));
    queue.cancel('key-4');
    queue.cancel('key-0');
    await eventually(() => kinds()[0] === 'cancelled');
    assert.deepEqual(kinds(), ['cancelled', 'sending', 'sending', 'sending', 'cancelled']);
    assert.equal(sent.length, 4);
    assert.equal(sent[0]?.signal.aborted, true);
    queue.clear();
    assert.deepEqual(kinds(), ['sending', 'sending', 'sending']);
  });
});

describe('the upload queue when a session ends', () => {
  it('sends nothing until the same user is back, and then all that is not finished, with the same keys', async () => {
    const { queue, sent, kinds } = queueOf();
    queue.add(urls(6));
    sent[1]?.resolve('resource-1');
    await eventually(() => sent.length === 5);
    sent[0]?.reject(new ApiError(401, 'UNAUTHENTICATED', 'refused'));
    await eventually(() => sent[2]?.signal.aborted === true);
    const paused = ['waiting', 'done', 'waiting', 'waiting', 'waiting', 'waiting'];
    assert.deepEqual(kinds(), paused);
    // It arrived after all, but the queue no longer waits for it.
    sent[3]?.resolve('resource-3');
    queue.pause();
    await Promise.resolve();
    assert.deepEqual(kinds(), paused);

    queue.resume('alice');
    assert.deepEqual(
      sent.slice(5).map(({ item }) => item.id),
      ['key-0', 'key-2', 'key-3', 'key-4'],
    );
    assert.deepEqual(kinds(), ['sending', 'done', 'sending', 'sending', 'sending', 'waiting']);
  });

  it('sends and shows nothing to another user, or after logging out', () => {
    const { queue, sent } = queueOf();
    queue.add(urls(6));
    queue.pause();
    queue.resume('bob');
    assert.deepEqual([queue.items(), sent.length], [[], 4]);
    queue.add(urls(6));
    queue.drop();
    assert.deepEqual([queue.items(), sent.length], [[], 8]);
    assert.ok(sent.every(({ signal }) => signal.aborted));
  });
});

describe('an upload during outages', () => {
  const away = new Unreachable('The service', false, new TypeError('the connection was lost'));
  const outlast = (): Promise<boolean> => Promise.resolve(true);

  it('continues after any number of them if no byte could be sent, and then no longer shows that it waits', async () => {
    const held: boolean[] = [];
    let rounds = 0;
    const send = (): Promise<string> => (++rounds === 6 ? Promise.resolve('added') : Promise.reject(away));
    const onHeld = (isHeld: boolean): void => void held.push(isHeld);
    assert.equal(await sendThroughOutages(send, { outlast, onHeld }), 'added');
    assert.deepEqual(held, Array.from({ length: 5 }, () => [true, false]).flat());
  });

  it('fails after three that interrupted it: its file may be what crashes the service', async () => {
    let rounds = 0;
    const send = (onSent: (bytes: number) => void): Promise<string> => {
      if (++rounds % 2 === 0) onSent(5);
      return Promise.reject(away);
    };
    await assert.rejects(sendThroughOutages(send, { outlast, onHeld: () => undefined }), away);
    assert.equal(rounds, 6);
  });

  it('fails after three that answered it, although a URL is sent without a progress', async () => {
    const refusal = new ApiError(503, 'STORAGE_UNAVAILABLE', 'The object store is down.');
    let rounds = 0;
    const send = (): Promise<string> => {
      if (++rounds > 6) return Promise.resolve('added');
      return Promise.reject(rounds % 2 === 0 ? refusal : away);
    };
    await assert.rejects(sendThroughOutages(send, { outlast, onHeld: () => undefined }), refusal);
    assert.equal(rounds, 6);
  });
});

describe('an upload cancelled after all of it was sent', () => {
  it('says that the resource may have been added, and finds it when it is tried again', async () => {
    const { queue, sent } = queueOf();
    const file = new File(['12345'], 'five.txt');
    queue.add([...toItems('note', [file, file], []), ...urls(1)]);
    sent[0]?.onProgress(5);
    sent[1]?.onProgress(4);
    for (const { id } of queue.items()) queue.cancel(id);
    await eventually(() => queue.items().every(({ state }) => state.kind === 'cancelled'));
    assert.deepEqual(
      queue.items().map(({ state }) => state.kind === 'cancelled' && state.mayBeAdded),
      [true, false, true],
    );
    queue.retry('key-0');
    assert.equal(sent[3]?.item.id, 'key-0');
    sent[3].resolve('resource-0');
    await eventually(() => queue.items()[0]?.state.kind === 'done');
  });
});

describe('an error named like that of a file that cannot be read', () => {
  it('counts as one only if a file was being uploaded', async () => {
    const { queue, sent, kinds } = queueOf();
    queue.add([...toItems('note', [new File(['1'], 'one.txt')], []), ...urls(1)]);
    // React throws such errors too.
    const error = new DOMException('The node to be removed is not a child of this node.', 'NotFoundError');
    for (const { reject } of sent) reject(error);
    await eventually(() => kinds().every((kind) => kind === 'failed'));
    assert.deepEqual(queue.items().map(isUnreadable), [true, false]);
    assert.equal(explain(error).title, 'Something went wrong');
  });
});

describe('the name of an added file', () => {
  it('becomes one that the service accepts', () => {
    const names = ['a\u0001b\n.txt', ' padded.txt ', '\u0007', 'x'.repeat(600)];
    const items = toItems(
      'note',
      names.map((name) => new File(['x'], name)),
      [],
    );
    assert.deepEqual(
      items.map(({ name }) => name),
      ['a b .txt', 'padded.txt', 'unnamed', 'x'.repeat(500)],
    );
  });
});

describe('pasted text', () => {
  it('is read as URLs separated by white space, each once', () => {
    const text =
      ' https://example.com/a \n\nhttps://example.com/a\nftp://example.com\nhello HTTP://EXAMPLE.com/b https://example.com/c d';
    assert.deepEqual(readUrls(text), {
      urls: ['https://example.com/a', 'HTTP://EXAMPLE.com/b', 'https://example.com/c d'],
      bad: ['ftp://example.com', 'hello'],
    });
  });

  it('is named after the end of its path, or its host', () => {
    assert.equal(nameOfUrl('https://example.com/a/Annual%20report.pdf?x=1'), 'Annual report.pdf');
    assert.equal(nameOfUrl('https://example.com/'), 'example.com');
    assert.equal(nameOfUrl('https://example.com/%FF'), '%FF');
    assert.equal(nameOfUrl('https://example.com/%0A%0d'), 'example.com');
  });

  it('gets names that the service accepts', () => {
    const [item] = toItems('webpage', [], [`https://example.com/${'x'.repeat(600)}`]);
    assert.equal(item?.name.length, 500);
  });
});
