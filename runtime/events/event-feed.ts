import { setTimeout as pause } from 'node:timers/promises';
import {
  comparePositions,
  formatEventId,
  parseEventId,
  presentOf,
  type ChangeEvent,
  type EventHorizon,
  type EventPage,
  type EventPosition,
} from '../../core/events.js';
import { createWakeUp } from './wake-up.js';
import { createEventRing } from './event-ring.js';
import type { Logger } from '../logging/logger.js';

/** A follower of changes, notified in order. */
export interface EventFollower {
  /** It begins now; `id` says where that is. */
  ready(id: string): void;
  /** Events since the last one were missed, so anything may have changed. Following continues from now. */
  reset(id: string): void;
  deliver(event: ChangeEvent, id: string): void;
  /** Resolves when it has room for more; asked only while it catches up. */
  hasRoom(): Promise<void>;
  /** Nothing more will come. */
  end(): void;
}

export interface Following {
  /** The current position: every event up to it was delivered. */
  id(): string;
  stop(): void;
}

/** Reads changes once for all who follow them in this process. */
export interface EventFeed {
  /** Follows what happens after `lastId`; null: from now on. Rejects while the database cannot be read. */
  follow(lastId: string | null, follower: EventFollower): Promise<Following>;
  /** Ends all current and future followers. */
  close(): Promise<void>;
}

/** Where changes come from. */
export interface EventSource {
  horizon(): Promise<EventHorizon>;
  read(after: EventPosition, limit: number): Promise<EventPage>;
  /** Calls `heard` when there may be more. */
  listen(heard: () => void): { close(): Promise<void> };
}

interface Follow {
  readonly follower: EventFollower;
  origin: string;
  position: EventPosition;
  isOver: boolean;
}

interface Reading {
  readonly stop: () => Promise<void>;
}

const pageSize = 500;
/** Events that are kept for who comes back soon. */
const ringSize = 2_000;
/** Milliseconds between two reads at least: what many transactions wrote is read at once. */
const gatherMs = 20;
/** Milliseconds between two looks at what has not ended yet, at most. */
const longestWaitMs = 250;

/**
 * Makes a feed. It reads while somebody follows: when it is woken, until every transaction that was at work by then
 * has ended, and every `lookEveryMs` besides, should a wake-up not come through.
 */
export function createEventFeed(source: EventSource, log: Logger, lookEveryMs = 2_000): EventFeed {
  const attached = new Set<Follow>();
  const all = new Set<Follow>();
  let ring = createEventRing(ringSize, { txid: 0n, id: 0 });
  let origin = '';
  let reading: Reading | null = null;
  let isClosed = false;

  const moveTo = (follow: Follow, position: EventPosition): void => {
    if (comparePositions(position, follow.position) > 0) follow.position = position;
  };
  const hand = (follow: Follow, event: ChangeEvent): void => {
    if (follow.isOver || comparePositions(event.position, follow.position) <= 0) return;
    follow.position = event.position;
    follow.follower.deliver(event, formatEventId(follow.origin, event.position));
  };
  const resetTo = (follow: Follow, now: EventHorizon): void => {
    if (follow.isOver) return;
    follow.origin = now.origin;
    follow.position = presentOf(now);
    follow.follower.reset(formatEventId(now.origin, follow.position));
  };
  const startOver = (now: EventHorizon): void => {
    origin = now.origin;
    ring = createEventRing(ringSize, presentOf(now));
  };

  const take = (page: EventPage): void => {
    if (page.origin !== origin || !page.continues) {
      startOver(page);
      for (const follow of attached) resetTo(follow, page);
      return;
    }
    ring.add(page.events, page.upTo);
    for (const follow of attached) {
      for (const event of page.events) hand(follow, event);
      moveTo(follow, page.upTo);
    }
  };

  const startReading = (): Reading => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const isStopping = (): boolean => signal.aborted;
    const wakeUp = createWakeUp();
    const listening = source.listen(wakeUp.wake);
    const hold = (ms: number): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined);
    const run = async (): Promise<void> => {
      let awaited = 0n;
      let pauseMs = 0;
      let failures = 0;
      for (;;) {
        const wasWoken = await wakeUp.wait(pauseMs);
        if (isStopping()) return;
        try {
          const page = await source.read(ring.end(), pageSize);
          if (isStopping()) return;
          take(page);
          failures = 0;
          if (wasWoken) awaited = page.begunBelow;
          const isWaiting = page.endedBelow < awaited;
          pauseMs = isWaiting ? Math.min(Math.max(pauseMs * 2, gatherMs), longestWaitMs) : lookEveryMs;
          if (page.events.length === pageSize) wakeUp.wake();
          else await hold(gatherMs);
        } catch (err) {
          if (failures === 0) log.warn({ err }, 'changes cannot be read');
          failures += 1;
          wakeUp.wake();
          await hold(Math.min(100 * 2 ** failures, 2_000));
        }
      }
    };
    const running = run();
    return {
      async stop() {
        stopping.abort();
        wakeUp.wake();
        await Promise.all([running, listening.close()]);
      },
    };
  };

  const readOn = async (follow: Follow): Promise<void> => {
    const page = await source.read(follow.position, pageSize);
    if (page.origin === follow.origin && page.continues) {
      for (const event of page.events) hand(follow, event);
      moveTo(follow, page.upTo);
    } else resetTo(follow, page);
    // The feed itself is about to see that the origin is another one.
    if (follow.origin !== origin) await pause(gatherMs);
  };

  const catchUp = async (follow: Follow): Promise<void> => {
    while (!follow.isOver) {
      const recent = follow.origin === origin ? ring.after(follow.position, pageSize) : null;
      if (recent?.length === 0) {
        attached.add(follow);
        return;
      }
      if (recent !== null) for (const event of recent) hand(follow, event);
      else await readOn(follow);
      await follow.follower.hasRoom();
    }
  };

  const stop = (follow: Follow): void => {
    follow.isOver = true;
    attached.delete(follow);
    all.delete(follow);
    if (all.size > 0 || reading === null) return;
    reading.stop().catch((err: unknown) => log.warn({ err }, 'reading changes ended badly'));
    reading = null;
  };

  return {
    async follow(lastId, follower) {
      const now = await source.horizon();
      const follow: Follow = { follower, origin: now.origin, position: presentOf(now), isOver: false };
      if (isClosed) {
        follower.end();
        return { id: () => formatEventId(now.origin, follow.position), stop: () => undefined };
      }
      all.add(follow);
      if (reading === null) {
        startOver(now);
        reading = startReading();
      }
      const last = lastId === null ? null : parseEventId(now.origin, lastId);
      // Nobody has seen the events that are still to come.
      if (last !== null && last.txid <= now.endedBelow) follow.position = last;
      else if (lastId === null) follower.ready(formatEventId(now.origin, follow.position));
      else resetTo(follow, now);
      catchUp(follow).catch((err: unknown) => {
        log.warn({ err }, 'changes cannot be caught up with');
        follower.end();
      });
      return { id: () => formatEventId(follow.origin, follow.position), stop: () => stop(follow) };
    },
    async close() {
      isClosed = true;
      const ending = reading?.stop();
      reading = null;
      for (const { follower } of all) follower.end();
      await ending;
    },
  };
}
