import type { CorpusDocument } from '../corpora/corpus.js';
import { formats } from '../corpora/corpus-entries.js';
import { toCount, type Count, type Figure } from '../figure.js';
import { inTurns, manyAtOnce, timed } from '../in-turns.js';
import type { IngestRig } from './ingest-rig.js';
import type { Rival } from '../rivals/rival.js';
import { treePeaksDuring } from '../costs/tree-memory.js';
import { wordRecall } from '../corpora/word-recall.js';

/** The number of documents that each side processes concurrently. */
export const documentsInFlight = 8;

const unit = 'documents/s';

/** Converts a document to text; null if it is rejected. */
type Read = (document: CorpusDocument) => Promise<string | null>;

/** Measures documents per second, mixed, by format, and long ones, for the service and the compared programs. */
export async function measureDocuments(
  rig: IngestRig,
  rivals: { readonly tika: Rival; readonly markitdown: Rival },
  { documents, manuals }: Readonly<Record<'documents' | 'manuals', readonly CorpusDocument[]>>,
  rounds: number,
  say: (text: string) => void,
): Promise<{ figures: Figure[]; counts: Count[] }> {
  const sides = {
    document: (document: CorpusDocument) => rig.ingest(document, 'document'),
    text: (document: CorpusDocument) => rig.ingest(document, 'text'),
    tika: (document: CorpusDocument) => rivals.tika.read(document),
    markitdown: (document: CorpusDocument) => rivals.markitdown.read(document),
  } satisfies Record<string, Read>;
  const measure = async (what: string, some: readonly CorpusDocument[]): Promise<Figure[]> => {
    const side = (name: keyof typeof sides) => async (): Promise<number> => {
      const rate = await perSecond(some, sides[name]);
      say(`${what}: ${rate.toFixed(2)} ${unit} by ${name}`);
      return rate;
    };
    const found = await inTurns(rounds, {
      document: side('document'),
      text: side('text'),
      tika: side('tika'),
      markitdown: side('markitdown'),
    });
    const goals: Readonly<Record<string, Figure['goal']>> = {
      mixed: { atLeast: 0.4 },
      pdf: { atLeast: 0.8 },
      'pdf manuals': { atLeast: 0.8 },
    };
    const goal = goals[what] ?? null;
    return [
      { what: `${what}: document, beside Tika`, unit, ours: found.document, beside: found.tika, goal },
      { what: `${what}: extract-text, beside Tika`, unit, ours: found.text, beside: found.tika, goal: null },
      {
        what: `${what}: document, beside markitdown`,
        unit,
        ours: found.document,
        beside: found.markitdown,
        goal: null,
      },
    ];
  };
  const figures = await measure('mixed', mixed(documents));
  const pids = [rig.worker.pid, rig.api.pid, rivals.tika.pid, rivals.markitdown.pid];
  // In a round of its own, because sampling takes a quarter of two processors.
  const peaks = await treePeaksDuring(pids, async () => {
    for (const read of Object.values(sides)) await perSecond(mixed(documents), read);
  });
  for (const format of formats)
    figures.push(
      ...(await measure(
        format,
        documents.filter((document) => document.format === format),
      )),
    );
  figures.push(...(await measure('pdf manuals', manuals)));
  const parties = ['the worker with its children', 'the API', 'Tika', 'markitdown'];
  const counts = parties.map((party, index) =>
    toCount(`most memory of ${party}, mixed documents`, 'MiB', peaks[index]!),
  );
  return { figures, counts };
}

/** Measures the effect of a second worker. */
export async function measureTwoWorkers(
  rig: IngestRig,
  documents: readonly CorpusDocument[],
  rounds: number,
  say: (text: string) => void,
): Promise<Figure> {
  const some = mixed(documents);
  const measure = async (workers: number): Promise<number> => {
    const rate = await perSecond(some, (document) => rig.ingest(document, 'document'));
    say(`mixed: ${rate.toFixed(2)} ${unit} with ${workers} of our workers`);
    return rate;
  };
  const found = await inTurns(rounds, {
    ours: async () => {
      const second = await rig.parts.startWorker();
      try {
        // A new process is slower until its parsers are loaded and compiled.
        await perSecond(some, (document) => rig.ingest(document, 'document'));
        return await measure(2);
      } finally {
        await second.stop();
      }
    },
    beside: () => measure(1),
  });
  return { what: 'mixed: document, two workers beside one', unit, ...found, goal: null };
}

/** Measures the share of each document's words that each side finds, and the documents that it cannot read. */
export async function compareTexts(
  rig: IngestRig,
  rivals: { readonly tika: Rival; readonly markitdown: Rival },
  documents: readonly CorpusDocument[],
  say: (text: string) => void,
): Promise<Count[]> {
  const sides: Readonly<Record<string, Read>> = {
    ours: async (document) => {
      const id = await rig.ingest(document, 'text');
      return id === null ? null : await rig.textOf(id);
    },
    Tika: (document) => rivals.tika.read(document),
    markitdown: (document) => rivals.markitdown.read(document),
  };
  const names = Object.keys(sides);
  const unread = new Map(names.map((name) => [name, 0]));
  const shares = new Map<string, number[]>();
  for (const document of documents) {
    const texts: Record<string, string | null> = {};
    for (const name of names) {
      texts[name] = await sides[name]!(document);
      if (texts[name] !== null) continue;
      unread.set(name, unread.get(name)! + 1);
      say(`${name} could not read ${document.fileName}`);
    }
    const found = wordRecall(texts);
    if (found === null) continue;
    const said = names.map((name) => `${name} ${found[name]!.toFixed(3)}`);
    say(`words of ${document.fileName}: ${said.join(', ')}`);
    for (const name of names) {
      const key = `${document.format} ${name}`;
      shares.set(key, [...(shares.get(key) ?? []), found[name]!]);
    }
  }
  const recall = formats.flatMap((format) =>
    names.flatMap((name): Count[] => {
      const of = shares.get(`${format} ${name}`) ?? [];
      const mean = of.reduce((sum, share) => sum + share, 0) / of.length;
      return [
        toCount(`${format}: words found by ${name}, mean`, '', mean),
        toCount(`${format}: words found by ${name}, worst document`, '', Math.min(...of)),
      ];
    }),
  );
  return [
    ...recall,
    ...names.map((name) => {
      const what = `documents that ${name} could not read, of ${documents.length}`;
      return toCount(what, 'documents', unread.get(name)!, name === 'ours' ? { atMost: 0 } : null);
    }),
  ];
}

async function perSecond(
  documents: readonly CorpusDocument[],
  read: (document: CorpusDocument) => Promise<unknown>,
): Promise<number> {
  const ms = await timed(() =>
    manyAtOnce(documents.length, documentsInFlight, async (index) => void (await read(documents[index]!))),
  );
  return (documents.length * 1000) / ms;
}

/** Returns documents with alternating formats. */
function mixed(documents: readonly CorpusDocument[]): CorpusDocument[] {
  const byFormat = formats.map((format) => documents.filter((document) => document.format === format));
  const longest = Math.max(...byFormat.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    byFormat.flatMap((of) => of.slice(index, index + 1)),
  ).flat();
}
