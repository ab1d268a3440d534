import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../runtime/deps.js';
import { createWakeUp } from '../../runtime/events/wake-up.js';
import { createLanceWriter } from '../../runtime/search/lance/writer.js';
import { loadLance } from '../../runtime/search/lance/load.js';
import { lanceLocation } from '../../runtime/search/lance/location.js';
import { eventChannel } from '../../storage/events.js';
import { listenTo } from '../../storage/database/listen.js';
import { makeDueAfterSetBack, makeAllDue } from '../../storage/search/changes.js';
import {
  listLiveIndexes,
  noteUpkeep,
  switchIndexes,
  type SearchIndex,
} from '../../storage/search/indexes.js';
import {
  releaseLease,
  renewLease,
  takeLease,
  type Lease,
  type LeaseOptions,
} from '../../storage/sweeps/leases.js';
import { createFilling } from './fill-index.js';
import { followChanges, type FollowDeps } from './follow-changes.js';
import { createLiveIndexes } from './live-indexes.js';
import { againMs, createUpkeep, remade } from './upkeep.js';

const leaseName = 'search index';
/**
 * How long a frozen or disconnected process blocks the work. After a killed one, another takes over after
 * `renewSeconds`.
 */
const leaseSeconds = 1.5;
const renewEveryMs = 400;
const renewSeconds = (renewEveryMs + 100) / 1000;
const lookEveryMs = 500;
/** Changes within this time are written together, which costs little more than writing one. */
const gatherMs = 300;
const tryEveryMs = 300;
/** How often to look for changes whose time is wrong because the database's clock was set back. */
const setBackEveryMs = 60_000;
/** How long a shutdown waits for running upkeep, which then ends by itself. */
const endMs = 1_000;

export interface Indexer {
  /** Stops at the next safe point and gives the lease back. */
  stop(): Promise<void>;
}

/** A lease and its running renewal. No token: another process holds the lease. */
interface Holding {
  token: Lease | null;
  renewal: Promise<void> | null;
}

class LeaseLost extends Error {}

/** Applies changes to the search index while this process holds the lease. Processing never waits for it. */
export function startIndexer(deps: Deps): Indexer {
  const { config, db, log, objectStore } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const isStopping = (): boolean => signal.aborted;
  const wakeUp = createWakeUp();
  const listening = listenTo(config.databaseUrl, eventChannel, {
    onNotification: wakeUp.wake,
    onFailure: (err) => log.debug({ err }, 'the indexer gets no notifications; it polls'),
  });

  const leaseOptions = (): LeaseOptions => ({
    seconds: leaseSeconds,
    renewSeconds,
    backend: listening.backend(),
  });

  const work = async (lease: Holding): Promise<void> => {
    const writer = createLanceWriter(lanceLocation(config));
    const upkeep = createUpkeep(db, writer, config.searchUri, log);
    const live = createLiveIndexes(db, writer, config.searchUri, log);
    const assertOurs = (): void => {
      signal.throwIfAborted();
      if (lease.token === null) throw new LeaseLost('Another process has the lease.');
    };
    const isLost = (): boolean => lease.token === null;
    const tools: FollowDeps = { db, writer, assertOurs, isLost, objectStore, log, signal };
    const fill = createFilling(tools);
    const finishing = new Map<number, Promise<void>>();

    let failures = 0;

    const finish = async ({ id, resources }: SearchIndex): Promise<void> => {
      try {
        const failure = await writer.optimize(id);
        if (failure !== null) log.warn({ err: failure, index: id }, remade);
        assertOurs();
        await noteUpkeep(db, id, false);
        await switchIndexes(db, id);
        log.info({ index: id, resources }, 'the search index was rebuilt');
      } catch (err) {
        if (isLost() || isStopping()) return;
        log.warn({ err }, 'the new search index cannot be finished; retrying');
        await noteUpkeep(db, id, true).catch(() => undefined);
        failures += 1;
        await pause(againMs(failures), undefined, { signal }).catch(() => undefined);
      } finally {
        finishing.delete(id);
      }
    };

    /** Resolves with true if more work is pending. */
    const round = async (): Promise<boolean> => {
      const found = await live();
      const { indexes } = found;
      assertOurs();
      if (indexes.length === 0) return false;
      const followed = await followChanges(tools, found);
      let [filled, isFilling] = [0, false];
      for (const index of indexes.filter(({ is_filled }) => !is_filled)) {
        const written = await fill(index);
        if (written === null) continue;
        filled += written;
        isFilling = true;
      }
      const built = indexes.find((index) => index.state === 'BUILDING' && index.is_filled);
      if (built !== undefined && !finishing.has(built.id)) finishing.set(built.id, finish(built));
      const chunks = followed.chunks + filled;
      // No write is in progress, so bringing the index up to date covers every numbered write.
      const now = chunks === 0 ? indexes : await listLiveIndexes(db);
      const current = now.filter(
        ({ id, state }) => state === 'CURRENT' && indexes.some((one) => one.id === id),
      );
      upkeep.afterRound(current, chunks);
      return followed.hasMore || isFilling;
    };

    try {
      await makeAllDue(db);
      let lookedAt = performance.now();
      while (lease.token !== null && !signal.aborted) {
        const nextAt = performance.now() + gatherMs;
        if (nextAt - lookedAt > setBackEveryMs) {
          lookedAt = nextAt;
          await makeDueAfterSetBack(db);
        }
        if (await round()) {
          await pause(5);
          continue;
        }
        await wakeUp.wait(lookEveryMs);
        const restMs = nextAt - performance.now();
        if (restMs > 0) await pause(restMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      const ended = Promise.allSettled([upkeep.idle(), ...finishing.values()]).then(() => writer.close());
      await Promise.race([ended, pause(endMs)]);
    }
  };

  const holdLease = async (first: Lease): Promise<void> => {
    const lease: Holding = { token: first, renewal: null };
    const renewing = setInterval(() => {
      // A renewal replaces the token: with the same one, a second renewal would find the lease taken.
      if (lease.token === null || lease.renewal !== null) return;
      // One that hangs longer than the lease lasts is given up, so that another connection tells who holds it.
      lease.renewal = Promise.race([
        renewLease(db, leaseName, lease.token, leaseOptions()),
        pause(leaseSeconds * 1000, undefined, { ref: false }).then(async () => {
          // After a time in which this process was blocked, the answer may be here already.
          await nextTurn();
          return lease.token;
        }),
      ])
        .then(
          (next) => void (lease.token = next),
          () => undefined,
        )
        .finally(() => (lease.renewal = null));
    }, renewEveryMs);
    try {
      await work(lease);
    } finally {
      clearInterval(renewing);
      await lease.renewal;
      if (lease.token === null)
        log.warn('the lease of the search index was lost; another process may have taken over');
      else await releaseLease(db, leaseName, lease.token).catch(() => undefined);
    }
  };

  /** A standby takes over faster with the native code already loaded. */
  let isPreloaded = false;
  const preload = (): void => {
    if (isPreloaded) return;
    isPreloaded = true;
    loadLance().catch((err: unknown) => log.debug({ err }, 'LanceDB cannot be loaded'));
  };

  const running = (async () => {
    while (!isStopping()) {
      try {
        const token = await takeLease(db, leaseName, leaseOptions());
        if (token !== null) await holdLease(token);
        else preload();
      } catch (err) {
        if (!isStopping() && !(err instanceof LeaseLost))
          log.warn({ err }, 'the search index cannot be kept up to date; retrying');
      }
      await pause(tryEveryMs, undefined, { signal }).catch(() => undefined);
    }
  })();

  return {
    async stop() {
      stopping.abort();
      wakeUp.wake();
      await running;
      await listening.close();
    },
  };
}
