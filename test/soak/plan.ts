import { hostileDocuments } from './hostile-documents.js';
import { hostileReports, type HostileReport } from './hostile-reports.js';

/** One pipeline of each kind: built-in plugins, a worker that replies with its outcome, one that reports later. */
export const triggerTypes = ['soak-built-in', 'soak-reply', 'soak-callback'] as const;
export type TriggerType = (typeof triggerTypes)[number];

/** A numbered resource, and what is to come of it. */
export interface PlannedResource {
  readonly name: string;
  readonly type: TriggerType;
  readonly file: { readonly content: string | Buffer; readonly mediaType: string };
  /** What a worker reports of it first; null: what it should. */
  readonly report: HostileReport | null;
  /** What is hostile of it; null: it is healthy. */
  readonly hostile: string | null;
  /** How it may end: COMPLETED, or the codes of a failure that is its own. */
  readonly ends: readonly string[];
  /** The artifact types that it has when it is COMPLETED. */
  readonly artifacts: readonly string[];
  /** The content of an artifact of a type; undefined: it is not told beforehand. */
  readonly contentOf: (artifact: string) => unknown;
}

const artifactTypes: Readonly<Record<TriggerType, readonly string[]>> = {
  'soak-built-in': ['chunks', 'metadata', 'text'],
  'soak-reply': ['copy'],
  'soak-callback': ['capitals', 'copy'],
};

/** One of twenty is hostile: of forty, one is a document for the built-in plugins and one what a worker reports. */
const hostileEvery = 40;
const hostileAt = { document: 0, report: 27 } as const;

/** Makes the resource of a number. Those that are hostile follow each other in turn, from a place that the seed says. */
export function planResource(number: number, seed: number): PlannedResource {
  const turn = Math.floor(number / hostileEvery);
  const pick = <T>(cases: readonly T[], at: number): T | null =>
    number % hostileEvery === at ? cases[(turn + seed) % cases.length]! : null;
  const document = pick(hostileDocuments, hostileAt.document);
  const report = pick(hostileReports, hostileAt.report);
  const type = report === null ? typeOf(number) : triggerTypes[1 + ((turn + Math.floor(seed / 2)) % 2)]!;
  const text = textOf(number);
  // The first step of a pipeline is the one whose report is hostile.
  const reported = type === 'soak-reply' ? 'copy' : 'capitals';
  const common = { type, report, artifacts: artifactTypes[type] };
  if (document !== null) {
    return {
      ...common,
      name: `soak ${number}.${document.extension}`,
      file: { content: document.make(), mediaType: document.mediaType },
      hostile: document.what,
      ends: document.ends,
      contentOf: () => undefined,
    };
  }
  return {
    ...common,
    name: `soak ${number}`,
    file: { content: text, mediaType: 'text/plain' },
    hostile: report && `${report.what}, ${type}`,
    ends: [report?.end ?? 'COMPLETED'],
    contentOf(artifact) {
      if (report !== null && report.content !== null && artifact === reported) return report.content;
      if (['text', 'chunks', 'copy'].includes(artifact)) return text;
      return artifact === 'capitals' ? text.toUpperCase() : undefined;
    },
  };
}

/** The number in a resource's name. */
export function numberOf(name: string): number {
  return Number(/^soak (\d+)/.exec(name)?.[1]);
}

/** One of ten goes to the built-in plugins, whose processes take the most time. */
function typeOf(number: number): TriggerType {
  if (number % 10 === 0) return 'soak-built-in';
  return number % 2 === 0 ? 'soak-reply' : 'soak-callback';
}

/** Up to some thousand characters. */
function textOf(number: number): string {
  return Array.from({ length: 1 + ((number * 37) % 200) }, () => `This is resource ${number}.`).join('\n');
}
