import { hasEnded, startChild, type ChildKind, type WaitingChild } from './child-process.js';

interface Spare {
  readonly child: Promise<WaitingChild>;
  readonly expiry: NodeJS.Timeout;
}

/** So many stand by at most: files mostly come in rows of one format, and go on to one more plugin. */
const most = 2;
const keptMs = 60_000;

/** The oldest comes first. */
const spares = new Map<string, Spare>();

const keyOf = ({ module, preparation, memoryMb, timeoutSeconds }: ChildKind): string =>
  [module.href, preparation, memoryMb, timeoutSeconds].join(' ');

/** A child that stands by, or else a new one. */
export async function takeChild(kind: ChildKind): Promise<WaitingChild> {
  const spare = take(keyOf(kind));
  const child = await spare?.child.catch(() => undefined);
  if (!child || hasEnded(child)) {
    await child?.end();
    return startChild(kind);
  }
  child.hold(true);
  return child;
}

/**
 * Has a child of a kind stand by: it starts, and loads what it will need, before there is a task for it. It ends when none
 * comes within a minute, and with this process, which does not stay for it.
 */
export function keepSpare(kind: ChildKind): void {
  const key = keyOf(kind);
  discard(key);
  const [oldest] = spares.keys();
  if (oldest !== undefined && spares.size >= most) discard(oldest);
  const child = startChild(kind);
  child.then(
    (started) => {
      if (spares.get(key)?.child === child) started.hold(false);
    },
    () => discard(key),
  );
  spares.set(key, { child, expiry: setTimeout(() => discard(key), keptMs).unref() });
}

function take(key: string): Spare | undefined {
  const spare = spares.get(key);
  if (spare) clearTimeout(spare.expiry);
  spares.delete(key);
  return spare;
}

function discard(key: string): void {
  take(key)?.child.then(
    (child) => child.end(),
    () => undefined,
  );
}
