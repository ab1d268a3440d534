import type { Client, ServiceEvent } from './api.js';
import { ApiError } from './errors.js';
import { NoEventStream, readEvents } from './event-stream.js';
import { askedMs, isRateLimit, isTransient, pauseMs } from './retries.js';
import { sleep } from './sleep.js';

/** Receives notifications that resources changed. */
export interface ChangeListener {
  /** Anything may have changed: reload everything. */
  everything(): void;
  /** This resource or one of its steps changed. */
  resource(id: string): void;
}

/** A source of changes. */
export interface Changes {
  /**
   * Notifies a listener of changes until the signal aborts, and reconnects after lost connections. Rejects if the
   * service refuses the key, and with the signal's reason.
   */
  follow(listener: ChangeListener): Promise<never>;
  /** Resets the polling interval, since changes are expected soon. Has no effect on an event stream. */
  stir(): void;
}

/** A proxy that buffers streams may refuse every one with a timeout. These take about six seconds. */
const mostRefusals = 5;

const shortestPollMs = 300;
const longestPollMs = 5_000;

/** Uses the service's event stream. If it is refused, polls with intervals that grow while nothing changes. */
export function watchChanges(client: Pick<Client, 'open'>, signal: AbortSignal): Changes {
  let pollMs = shortestPollMs;
  let wake = new AbortController();

  const poll = async (listener: ChangeListener): Promise<never> => {
    for (;;) {
      listener.everything();
      await sleep(pollMs, AbortSignal.any([signal, wake.signal])).catch(() => undefined);
      signal.throwIfAborted();
      if (wake.signal.aborted) wake = new AbortController();
      else pollMs = Math.min(pollMs * 1.5, longestPollMs);
    }
  };

  return {
    async follow(listener) {
      try {
        return await followStream(client, listener, signal);
      } catch (error) {
        if (!mayPoll(error)) throw error;
        return await poll(listener);
      }
    },
    stir() {
      if (pollMs === shortestPollMs) return;
      pollMs = shortestPollMs;
      wake.abort();
    },
  };
}

/** Whether reads may succeed without the stream: proxies that block streams refuse them with any status, even 401. */
const mayPoll = (error: unknown): boolean =>
  error instanceof NoEventStream || (error instanceof ApiError && error.code !== 'UNAUTHENTICATED');

/**
 * Yields the service's events after a position, or from now. Resumes lost connections, and then also waits for room if
 * the key has too many streams. Changes before `ready` and before `reset` are not included, so reload everything after
 * these.
 *
 * @throws NoEventStream if the service has none, ApiError if it refuses, and the signal's reason
 */
export async function* followEvents(
  client: Pick<Client, 'open'>,
  options: {
    readonly lastEventId?: string | null;
    readonly signal?: AbortSignal;
    /**
     * How many refusals in a row are repeated, if they seem temporary; all by default. With a number, one for lack of
     * room is not repeated.
     */
    readonly mostRefusals?: number;
  } = {},
): AsyncGenerator<ServiceEvent, never> {
  const { signal = new AbortController().signal, mostRefusals = Infinity } = options;
  let { lastEventId = null } = options;
  let leastPauseMs = 0;
  let waitsForRoom = false as boolean;
  for (let [failures, refusals] = [0, 0]; ;) {
    let retryAfterMs = 0;
    try {
      const onRetry = (ms: number): void => void (leastPauseMs = ms);
      const onHeartbeat = (id: string): void => {
        lastEventId = id;
        failures = refusals = 0;
      };
      const onOpen = (): void => void (waitsForRoom = mostRefusals === Infinity);
      const position = { lastEventId, signal };
      for await (const event of readEvents(client, { ...position, onRetry, onHeartbeat, onOpen })) {
        failures = refusals = 0;
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || (isRateLimit(error) && !waitsForRoom)) throw error;
      if (error instanceof ApiError && ++refusals > mostRefusals) throw error;
      retryAfterMs = askedMs(error);
    }
    failures += 1;
    await sleep(Math.max(leastPauseMs, pauseMs(failures), retryAfterMs), signal);
  }
}

async function followStream(
  client: Pick<Client, 'open'>,
  listener: ChangeListener,
  signal: AbortSignal,
): Promise<never> {
  const events = followEvents(client, { signal, mostRefusals });
  for (;;) tell(listener, (await events.next()).value);
}

function tell(listener: ChangeListener, { name, fields }: ServiceEvent): void {
  if (name === 'ready' || name === 'reset') {
    listener.everything();
    return;
  }
  if (!/^(resource|step|artifact)\./.test(name)) return;
  const id = fields['resource_id'] ?? fields['id'];
  if (typeof id === 'string') listener.resource(id);
}
