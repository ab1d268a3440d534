/** The event types of live changes. */
export type EventType =
  | 'resource.created'
  | 'resource.updated'
  | 'resource.deleted'
  | 'step.updated'
  | 'artifact.updated'
  | 'artifact.deleted'
  | 'pipeline.created'
  | 'pipeline.updated'
  | 'pipeline.deleted'
  | 'plugin.created'
  | 'plugin.updated'
  | 'plugin.deleted'
  | 'operation.updated';

/** A position in the order of changes: the transaction of the change, then its number. */
export interface EventPosition {
  readonly txid: bigint;
  readonly id: number;
}

/** A committed change. */
export interface ChangeEvent {
  readonly position: EventPosition;
  readonly at: Date;
  readonly type: EventType;
  /** The resource that changed, or whose steps or artifacts changed. */
  readonly resourceId: string | null;
  /** The fields that the event shows. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** How far events can be read at a given moment. */
export interface EventHorizon {
  /** Identifies the history that positions belong to. It changes after a restore or a failover. */
  readonly origin: string;
  /** Every transaction below this has ended and can be read. */
  readonly endedBelow: bigint;
  /** Every transaction that had begun by then is below this. */
  readonly begunBelow: bigint;
}

/** The events after a position. */
export interface EventPage extends EventHorizon {
  readonly events: readonly ChangeEvent[];
  /** The page is complete up to this position. */
  readonly upTo: EventPosition;
  /** False: events after the position are no longer kept, or the position is not from this database. */
  readonly continues: boolean;
}

/** The current position: after every transaction that has ended, before all others. */
export function currentPositionOf({ endedBelow }: EventHorizon): EventPosition {
  return { txid: endedBelow, id: 0 };
}

/** Negative if a comes before b, zero if they are equal, positive if a comes after b. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  if (a.txid === b.txid) return a.id - b.id;
  return a.txid < b.txid ? -1 : 1;
}

/** A position as clients send it back. */
export function formatEventId(origin: string, { txid, id }: EventPosition): string {
  return `${origin}-${txid}-${id}`;
}

const greatestXid = 2n ** 64n - 1n;

/** The position in an id made by `formatEventId`; null for an id of another origin or any other text. */
export function parseEventId(origin: string, text: string): EventPosition | null {
  const [, given = '', xid = '', id = ''] = /^([0-9a-f]+)-(\d{1,20})-(\d{1,15})$/.exec(text) ?? [];
  if (given !== origin || BigInt(xid) > greatestXid) return null;
  return { txid: BigInt(xid), id: Number(id) };
}
