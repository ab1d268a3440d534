import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../core/errors.js';
import type { ChangeEvent } from '../../core/events.js';
import type { EventFeed, EventFollower } from '../../runtime/event-feed.js';
import type { Logger } from '../../runtime/logging.js';
import { listGoodKeys } from '../../storage/api-keys.js';
import type { Db } from '../../storage/database.js';
import type { Metrics } from '../metrics.js';
import { changeFrame, heartbeatFrame, retryFrame, wordFrame } from './frames.js';
import { createStreamBody } from './stream-body.js';

/** Streams of one API key, and all, that this process keeps open. */
const mostStreams = { ofKey: 100, inAll: 1_000 };
/** Bytes that wait for a reader at most: one who is slower is cut off, and goes on where it was. */
const mostWaitingBytes = 1024 * 1024;
/** Milliseconds between two signs of life. */
const heartbeatMs = 15_000;
/** Milliseconds between two looks whether keys are still good. */
const keyCheckMs = 5_000;

/** What a stream is asked for. */
export interface StreamRequest {
  readonly keyId: string;
  /** The id of the last event that the caller has; null: it begins now. */
  readonly lastId: string | null;
  /** Only what concerns this resource; null: everything. */
  readonly resourceId: string | null;
  readonly response: ServerResponse;
}

/** The streams of live changes that are open in this process. */
export interface EventStreams {
  /** Opens one. Throws RATE_LIMITED when there are too many, and what the database throws. */
  open(request: StreamRequest): Promise<Readable>;
}

interface Open {
  readonly keyId: string;
  readonly end: () => void;
}

export function createEventStreams(deps: {
  readonly events: EventFeed;
  readonly metrics: Pick<Metrics, 'streamsOpen' | 'eventSent'>;
  readonly log: Logger;
  readonly db: Db;
}): EventStreams {
  const { events, metrics, log, db } = deps;
  const open = new Set<Open>();
  let keyChecks: NodeJS.Timeout | undefined;

  const checkKeys = async (): Promise<void> => {
    try {
      const good = new Set(await listGoodKeys(db, [...new Set([...open].map(({ keyId }) => keyId))]));
      for (const stream of open) if (!good.has(stream.keyId)) stream.end();
    } catch (err) {
      log.warn({ err }, 'the keys of open streams cannot be checked');
    }
  };
  const changed = (): void => {
    metrics.streamsOpen(open.size);
    if (open.size === 0) {
      clearInterval(keyChecks);
      keyChecks = undefined;
    } else keyChecks ??= setInterval(() => void checkKeys(), keyCheckMs).unref();
  };
  const admit = (keyId: string): void => {
    const ofKey = [...open].filter((stream) => stream.keyId === keyId).length;
    if (ofKey >= mostStreams.ofKey) throw tooMany('This API key', mostStreams.ofKey);
    if (open.size >= mostStreams.inAll) throw tooMany('This process', mostStreams.inAll);
  };

  return {
    async open({ keyId, lastId, resourceId, response }) {
      admit(keyId);
      const body = createStreamBody(() => {
        open.delete(stream);
        changed();
        clearInterval(heartbeat);
        following?.stop();
      });
      const stream: Open = { keyId, end: body.end };
      open.add(stream);
      changed();
      let following: Awaited<ReturnType<EventFeed['follow']>> | undefined;
      const heartbeat = setInterval(() => {
        if (following !== undefined) send(heartbeatFrame(following.id()));
      }, heartbeatMs).unref();

      const send = (frame: string): void => {
        if (body.write(frame) + response.writableLength <= mostWaitingBytes) return;
        log.info({ key: keyId }, 'who does not read a stream of changes is cut off');
        response.destroy();
        body.readable.destroy();
      };
      const sendChange = (event: ChangeEvent, id: string): void => {
        if (resourceId !== null && event.resourceId !== resourceId) return;
        send(changeFrame(event, id));
        metrics.eventSent();
        // Of a resource that is gone nothing more will come.
        if (resourceId !== null && event.type === 'resource.deleted') body.end();
      };
      const follower: EventFollower = {
        ready: (id) => send(wordFrame('ready', id)),
        reset: (id) => send(wordFrame('reset', id)),
        deliver: sendChange,
        hasRoom: body.hasRoom,
        end: body.end,
      };
      body.write(retryFrame);
      try {
        following = await events.follow(lastId, follower);
      } catch (error) {
        body.readable.destroy();
        throw error;
      }
      // It may have been cut off, or have ended, by what it was told at once.
      if (body.readable.destroyed) following.stop();
      return body.readable;
    },
  };
}

function tooMany(who: string, limit: number): ServiceError {
  const message = `${who} has ${limit} streams of changes open already.`;
  return new ServiceError('RATE_LIMITED', message, { limit, retry_after_seconds: 5 });
}
