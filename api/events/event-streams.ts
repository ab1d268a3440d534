import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../core/errors.js';
import type { ChangeEvent } from '../../core/events.js';
import type { EventFeed, EventFollower } from '../../runtime/events/event-feed.js';
import type { Logger } from '../../runtime/logging/logger.js';
import { listGoodKeys } from '../../storage/auth/api-keys.js';
import type { Db } from '../../storage/database/connection.js';
import { listOpenSessions } from '../../storage/auth/sessions.js';
import type { Metrics } from '../server/metrics.js';
import { changeFrame, heartbeatFrame, retryFrame, wordFrame } from './frames.js';
import { createStreamBody } from './stream-body.js';

/** Streams of one API key, and all, that this process keeps open. */
const mostStreams = { ofKey: 100, inAll: 1_000 };
/** Bytes that wait for a reader at most: one who is slower is cut off, and goes on where it was. */
const mostWaitingBytes = 1024 * 1024;
/** Milliseconds between two signs of life. */
const heartbeatMs = 15_000;
/** Milliseconds between two looks whether keys are still good, and sessions open. */
const callerCheckMs = 5_000;

/** What a stream is asked for. */
export interface StreamRequest {
  readonly keyId: string;
  /** The hash of the session it is asked for by; null for a key itself. */
  readonly session: Buffer | null;
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

interface Open extends Pick<StreamRequest, 'keyId' | 'session'> {
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
  let callerChecks: NodeJS.Timeout | undefined;

  const checkCallers = async (): Promise<void> => {
    const streams = [...open];
    const sessions = streams.flatMap(({ session }) => session ?? []);
    try {
      const goodKeys = new Set(await listGoodKeys(db, [...new Set(streams.map(({ keyId }) => keyId))]));
      const openSessions = new Set((await listOpenSessions(db, sessions)).map(toHex));
      for (const { keyId, session, end } of streams)
        if (!goodKeys.has(keyId) || (session !== null && !openSessions.has(toHex(session)))) end();
    } catch (err) {
      log.warn({ err }, 'the callers of open streams cannot be checked');
    }
  };
  const changed = (): void => {
    metrics.streamsOpen(open.size);
    if (open.size === 0) {
      clearInterval(callerChecks);
      callerChecks = undefined;
    } else callerChecks ??= setInterval(() => void checkCallers(), callerCheckMs).unref();
  };
  const admit = (keyId: string): void => {
    const ofKey = [...open].filter((stream) => stream.keyId === keyId).length;
    if (ofKey >= mostStreams.ofKey) throw tooMany('This API key', mostStreams.ofKey);
    if (open.size >= mostStreams.inAll) throw tooMany('This process', mostStreams.inAll);
  };

  return {
    async open({ keyId, session, lastId, resourceId, response }) {
      admit(keyId);
      const body = createStreamBody(() => {
        open.delete(stream);
        changed();
        clearInterval(heartbeat);
        following?.stop();
      });
      const stream: Open = { keyId, session, end: body.end };
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

const toHex = (hash: Buffer): string => hash.toString('hex');

function tooMany(who: string, limit: number): ServiceError {
  const message = `${who} has ${limit} streams of changes open already.`;
  return new ServiceError('RATE_LIMITED', message, { limit, retry_after_seconds: 5 });
}
