import { makeDocx, makeHtml, makePdf, makeText } from '../corpora/documents.js';
import { toCount, type Count } from '../figure.js';
import { manyAtOnce, timed } from '../in-turns.js';
import type { IngestRig } from './ingest-rig.js';
import type { SentFile } from './sending.js';

/** The number of resources in flight, as when a user uploads a folder. */
const inFlight = 50;

/** Measures small files: how fast the service processes them, and whether valid ones fail when many arrive at once. */
export async function measureSmallFiles(
  rig: IngestRig,
  scale: number,
  say: (text: string) => void,
): Promise<Count[]> {
  const steady = Math.max(50, Math.round(2_000 * scale));
  await ingestMany(rig, Math.min(steady, 50), 'warm-up');
  const rate = await ingestMany(rig, steady, 'steady');
  say(`small texts: ${rate.toFixed(1)} documents/s of ours`);
  const drained = await atOnce(rig, 'drained', 'document', Math.round(10_000 * scale), smallText, say);
  const hurried = await atOnce(rig, 'hurried', 'hurried', Math.round(1_000 * scale), mixedFile, say);
  const refused = rig.sending.refused();
  for (const answer of refused.slice(0, 5)) say(`answered 503: ${answer}`);
  const texts = 'small texts through document';
  return [
    toCount(`${steady} ${texts}, ${inFlight} in flight`, 'documents/s', rate, { atLeast: 15 }),
    toCount(`${drained.count} ${texts}, registered at once`, 'documents/s', drained.rate),
    ...wrong(`of ${drained.count} small texts registered at once`, drained),
    ...wrong(`of ${hurried.count} small files registered at once with ten seconds for a step`, hurried),
    toCount('registrations answered 503 and sent again', 'requests', refused.length, { atMost: 0 }),
  ];
}

async function ingestMany(rig: IngestRig, count: number, name: string): Promise<number> {
  const ms = await timed(() =>
    manyAtOnce(count, inFlight, async (index) => {
      if ((await rig.ingest(smallText(index), 'document', name)) === null)
        throw new Error(`The small text ${index} did not become COMPLETED.`);
    }),
  );
  return (count * 1000) / ms;
}

interface Burst {
  readonly count: number;
  readonly rate: number;
  readonly failed: number;
  readonly attempts: number;
}

/** Registers files as fast as they are answered, and waits until all have settled. */
async function atOnce(
  rig: IngestRig,
  name: string,
  type: string,
  count: number,
  make: (index: number) => SentFile,
  say: (text: string) => void,
): Promise<Burst> {
  const files = Array.from({ length: count }, (_, index) => make(index));
  const ms = await timed(async () => {
    const ids = await Promise.all(files.map((file) => rig.sending.send(file, type, name)));
    await Promise.all(ids.map((id) => rig.isCompleted(id)));
  });
  const found = { count, rate: (count * 1000) / ms, ...(await rig.wrongOf(name)) };
  say(
    `${name}: ${found.rate.toFixed(1)} documents/s, ${found.failed} failed, ${found.attempts} extra attempts`,
  );
  for (const attempt of found.unsuccessful) say(`${name}: ${JSON.stringify(attempt)}`);
  return found;
}

function wrong(of: string, { failed, attempts }: Burst): Count[] {
  return [
    toCount(`failed ${of}`, 'resources', failed, { atMost: 0 }),
    toCount(`second attempts ${of}`, 'attempts', attempts, { atMost: 0 }),
  ];
}

/** Returns a text from one line to some kB. */
function smallText(index: number): SentFile {
  return {
    fileName: `note-${index}.txt`,
    mediaType: 'text/plain',
    content: makeText(index, ((index % 8) * 500) | 1),
  };
}

function mixedFile(index: number): SentFile {
  const fileName = (ending: string): string => `file-${index}.${ending}`;
  switch (index % 4) {
    case 0:
      return { fileName: fileName('pdf'), mediaType: 'application/pdf', content: makePdf(1 + (index % 3)) };
    case 1:
      return {
        fileName: fileName('docx'),
        mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        content: makeDocx(2_000 + index, 0),
      };
    case 2:
      return { fileName: fileName('html'), mediaType: 'text/html', content: makeHtml(2_000 + index) };
    default:
      return smallText(index);
  }
}
