import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ChangeEvent } from '../../core/events.js';
import type { EventFeed, EventFollower } from '../../runtime/events/event-feed.js';
import type { Logger } from '../../runtime/logging/logger.js';
import type { Metrics } from '../server/metrics.js';
import { changeFrame, heartbeatFrame, retryFrame, controlFrame } from './frames.js';
import type { OpenStreams } from './open-streams.js';
import { createStreamBody } from './stream-body.js';

/** Milliseconds between two heartbeats. */
const heartbeatMs = 15_000;

/** The parameters of a stream. */
export interface StreamRequest {
  readonly keyId: string;
  /** The hash of the session that opens the stream; null for an API key. */
  readonly session: Buffer | null;
  /** The caller's last event id; null: start now. */
  readonly lastId: string | null;
  /** Only events of this resource; null: all. */
  readonly resourceId: string | null;
  /**
   * Throws if the stream would never end: the resource was deleted before the position at which the stream begins. Called
   * once that is known.
   */
  readonly confirm: () => Promise<unknown>;
  readonly response: ServerResponse;
}

/** The streams of live changes that are open in this process. */
export interface EventStreams {
  /** Opens a stream. Throws RATE_LIMITED if there are too many, database errors, and those of `confirm`. */
  open(request: StreamRequest): Promise<Readable>;
}

export function createEventStreams(deps: {
  readonly events: EventFeed;
  readonly metrics: Pick<Metrics, 'eventSent'>;
  readonly log: Logger;
  readonly openStreams: OpenStreams;
}): EventStreams {
  const { events, metrics, log, openStreams } = deps;

  return {
    async open({ keyId, session, lastId, resourceId, confirm, response }) {
      const body = createStreamBody(response, () => {
        leave();
        clearInterval(heartbeat);
        following?.stop();
      });
      const leave = openStreams.admit({ keyId, session, end: body.end });
      let following: Awaited<ReturnType<EventFeed['follow']>> | undefined;
      const heartbeat = setInterval(() => {
        if (following !== undefined) send(heartbeatFrame(following.id()));
      }, heartbeatMs).unref();

      const send = (frame: string): void => {
        if (!body.write(frame))
          log.info({ key: keyId }, 'a stream of changes was closed: its client does not read it');
      };
      const sendChange = (event: ChangeEvent, id: string): void => {
        if (resourceId !== null && event.resourceId !== resourceId) return;
        send(changeFrame(event, id));
        metrics.eventSent();
        // A deleted resource has no further events.
        if (resourceId !== null && event.type === 'resource.deleted') body.end();
      };
      const follower: EventFollower = {
        ready: (id) => send(controlFrame('ready', id)),
        reset: (id) => send(controlFrame('reset', id)),
        deliver: sendChange,
        hasRoom: body.hasRoom,
        end: body.end,
      };
      body.write(retryFrame);
      try {
        following = await events.follow(lastId, follower);
        await confirm();
      } catch (error) {
        body.readable.destroy();
        throw error;
      }
      // The initial events may have ended or cut off the stream.
      if (body.readable.destroyed) following.stop();
      return body.readable;
    },
  };
}
