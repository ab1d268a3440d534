import { setTimeout as pause } from 'node:timers/promises';
import {
  comparePositions,
  formatEventId,
  parseEventId,
  currentPositionOf,
  type ChangeEvent,
  type EventHorizon,
  type EventPage,
  type EventPosition,
} from '../../core/events.js';
import { createWakeUp } from './wake-up.js';
import { createEventRing } from './event-ring.js';
import type { Logger } from '../logging/logger.js';

/** A follower of changes; its methods are called in order. */
export interface EventFollower {
  /** Following starts now, at the position `id`. */
  ready(id: string): void;
  /** Events since the last one were missed, so anything may have changed. Following continues from now. */
  reset(id: string): void;
  deliver(event: ChangeEvent, id: string): void;
  /** Resolves when it can take more events; only used while it catches up. */
  hasRoom(): Promise<void>;
  /** No more events follow. */
  end(): void;
}

export interface Following {
  /** The current position: every event up to it has been delivered. */
  id(): string;
  stop(): void;
}

/** Reads changes once for all their followers in this process. */
export interface EventFeed {
  /** Returns the current position. A follower after it misses no later change. Rejects while the database cannot be read. */
  currentPosition(): Promise<string>;
  /** Follows changes after `lastId`, or from now on if it is null. Rejects while the database cannot be read. */
  follow(lastId: string | null, follower: EventFollower): Promise<Following>;
  /** Ends all current and future followers. */
  close(): Promise<void>;
}

export interface EventSource {
  horizon(): Promise<EventHorizon>;
  read(after: EventPosition, limit: number): Promise<EventPage>;
  /** Calls `onNotification` when there may be new events. */
  listen(onNotification: () => void): { close(): Promise<void> };
}

interface Follow {
  readonly follower: EventFollower;
  origin: string;
  position: EventPosition;
  isOver: boolean;
}

const pageSize = 500;
/** Number of events kept for followers that reconnect soon. */
const ringSize = 2_000;
/**
 * After a read, the feed rests for this multiple of the read's duration, and at most this many milliseconds: events of many
 * transactions are read together when the service is busy, and those of a single resource are hardly delayed.
 */
const [restFactor, longestRestMs] = [4, 20];
/** Time after a rest until the first check for open transactions, and the maximum time between two, in milliseconds. */
const [shortestWaitMs, longestWaitMs] = [5, 250];

/**
 * Creates a feed. While it has followers, it reads when woken, until every transaction that was open at that time has
 * ended, and additionally every `lookEveryMs`, in case a notification is lost.
 */
export function createEventFeed(source: EventSource, log: Logger, lookEveryMs = 2_000): EventFeed {
  const attached = new Set<Follow>();
  const all = new Set<Follow>();
  let ring = createEventRing(ringSize, { txid: 0n, id: 0 });
  let origin = '';
  let stopReading: (() => Promise<void>) | null = null;
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
    follow.position = currentPositionOf(now);
    follow.follower.reset(formatEventId(now.origin, follow.position));
  };
  const startOver = (now: EventHorizon): void => {
    origin = now.origin;
    ring = createEventRing(ringSize, currentPositionOf(now));
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

  /** Returns what stops it. */
  const startReading = (): (() => Promise<void>) => {
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
          const begunAt = performance.now();
          const page = await source.read(ring.end(), pageSize);
          const restMs = Math.min(longestRestMs, restFactor * (performance.now() - begunAt));
          if (isStopping()) return;
          take(page);
          failures = 0;
          if (wasWoken) awaited = page.begunBelow;
          if (page.endedBelow >= awaited) pauseMs = lookEveryMs;
          else pauseMs = wasWoken ? shortestWaitMs : Math.min(pauseMs * 2, longestWaitMs);
          if (page.events.length === pageSize) wakeUp.wake();
          else await hold(restMs);
        } catch (err) {
          if (failures === 0) log.warn({ err }, 'changes cannot be read');
          failures += 1;
          wakeUp.wake();
          await hold(Math.min(100 * 2 ** failures, 2_000));
        }
      }
    };
    const running = run();
    return async () => {
      stopping.abort();
      wakeUp.wake();
      await Promise.all([running, listening.close()]);
    };
  };

  const readOn = async (follow: Follow): Promise<void> => {
    const page = await source.read(follow.position, pageSize);
    if (page.origin === follow.origin && page.continues) {
      for (const event of page.events) hand(follow, event);
      moveTo(follow, page.upTo);
    } else resetTo(follow, page);
    // The feed itself will soon notice that the origin has changed.
    if (follow.origin !== origin) await pause(longestRestMs);
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
    if (all.size > 0 || stopReading === null) return;
    stopReading().catch((err: unknown) => log.warn({ err }, 'the change feed did not stop cleanly'));
    stopReading = null;
  };

  return {
    async currentPosition() {
      const now = await source.horizon();
      return formatEventId(now.origin, currentPositionOf(now));
    },
    async follow(lastId, follower) {
      const now = await source.horizon();
      const follow: Follow = {
        follower,
        origin: now.origin,
        position: currentPositionOf(now),
        isOver: false,
      };
      if (isClosed) {
        follower.end();
        return { id: () => formatEventId(now.origin, follow.position), stop: () => undefined };
      }
      all.add(follow);
      if (stopReading === null) {
        startOver(now);
        stopReading = startReading();
      }
      const last = lastId === null ? null : parseEventId(now.origin, lastId);
      // No follower has seen events that are still in the future.
      if (last !== null && last.txid <= now.endedBelow) follow.position = last;
      else if (lastId === null) follower.ready(formatEventId(now.origin, follow.position));
      else resetTo(follow, now);
      catchUp(follow).catch((err: unknown) => {
        log.warn({ err }, 'missed changes cannot be read');
        follower.end();
      });
      return { id: () => formatEventId(follow.origin, follow.position), stop: () => stop(follow) };
    },
    async close() {
      isClosed = true;
      const ending = stopReading?.();
      stopReading = null;
      for (const { follower } of all) follower.end();
      await ending;
    },
  };
}
