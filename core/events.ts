/** What can change: the names that live changes go by. */
export const eventTypes = [
  'resource.created',
  'resource.updated',
  'resource.deleted',
  'step.updated',
  'artifact.updated',
  'artifact.deleted',
  'pipeline.created',
  'pipeline.updated',
  'pipeline.deleted',
  'plugin.created',
  'plugin.updated',
  'plugin.deleted',
  'operation.updated',
] as const;
export type EventType = (typeof eventTypes)[number];

/** A place in the order of changes: the transaction that made one, then its number. */
export interface EventPosition {
  readonly txid: bigint;
  readonly id: number;
}

/** A change that was committed. */
export interface ChangeEvent {
  readonly position: EventPosition;
  readonly at: Date;
  readonly type: EventType;
  /** The resource that changed, or whose steps or artifacts did. */
  readonly resourceId: string | null;
  /** What is told of it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The end of what can be read at a moment. */
export interface EventHorizon {
  /** Which history of which database positions belong to: another one after a restore or a fail-over. */
  readonly origin: string;
  /** Every transaction below has ended, and can be read. */
  readonly endedBelow: bigint;
  /** Every transaction that had begun by then is below. */
  readonly begunBelow: bigint;
}

/** What comes after a position. */
export interface EventPage extends EventHorizon {
  readonly events: readonly ChangeEvent[];
  /** The position up to which this is all there is. */
  readonly upTo: EventPosition;
  /** False: what came after the position is not kept any more, or the position is none of this database. */
  readonly continues: boolean;
}

/** Where the present is: after every transaction that has ended, before all others. */
export function presentOf({ endedBelow }: EventHorizon): EventPosition {
  return { txid: endedBelow, id: 0 };
}

/** Below zero: a comes before b; zero: they are the same; above: after. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  if (a.txid === b.txid) return a.id - b.id;
  return a.txid < b.txid ? -1 : 1;
}

/** A position as clients hand it back. */
export function formatEventId(origin: string, { txid, id }: EventPosition): string {
  return `${origin}-${txid}-${id}`;
}

const greatestXid = 2n ** 64n - 1n;

/** The position that an id of `formatEventId` names; null for an id of another origin, or for any other text. */
export function parseEventId(origin: string, text: string): EventPosition | null {
  const [, given = '', xid = '', id = ''] = /^([0-9a-f]+)-(\d{1,20})-(\d{1,15})$/.exec(text) ?? [];
  if (given !== origin || BigInt(xid) > greatestXid) return null;
  return { txid: BigInt(xid), id: Number(id) };
}
