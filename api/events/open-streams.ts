import { ServiceError } from '../../core/errors.js';
import type { Logger } from '../../runtime/logging/logger.js';
import { listValidKeyIds } from '../../storage/auth/api-keys.js';
import { listOpenSessions } from '../../storage/auth/sessions.js';
import type { Db } from '../../storage/database/connection.js';
import type { Metrics } from '../server/metrics.js';

/** The maximum number of open streams in this process, per API key and in total. */
const mostStreams = { ofKey: 100, inAll: 1_000 };
/** Milliseconds between checks that keys are still valid and sessions still open. */
const callerCheckMs = 5_000;

/** A stream that stays open while its caller may read it. */
export interface OpenStream {
  readonly keyId: string;
  /** The hash of the session that opened it; null for an API key. */
  readonly session: Buffer | null;
  /** Called once the key or the session is no longer valid. */
  readonly end: () => void;
}

/** All streams that are open in this process. */
export interface OpenStreams {
  /** Adds a stream. Returns a function that removes it, once. Throws RATE_LIMITED if there are too many. */
  admit(stream: OpenStream): () => void;
}

export function createOpenStreams(deps: {
  readonly metrics: Pick<Metrics, 'streamsOpen'>;
  readonly log: Logger;
  readonly db: Db;
}): OpenStreams {
  const { metrics, log, db } = deps;
  const open = new Set<OpenStream>();
  let callerChecks: NodeJS.Timeout | undefined;

  const checkCallers = async (): Promise<void> => {
    const streams = [...open];
    const sessions = streams.flatMap(({ session }) => session ?? []);
    try {
      const validKeys = new Set(await listValidKeyIds(db, [...new Set(streams.map(({ keyId }) => keyId))]));
      const openSessions = new Set((await listOpenSessions(db, sessions)).map(toHex));
      for (const { keyId, session, end } of streams)
        if (!validKeys.has(keyId) || (session !== null && !openSessions.has(toHex(session)))) end();
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

  return {
    admit(stream) {
      const ofKey = [...open].filter(({ keyId }) => keyId === stream.keyId).length;
      if (ofKey >= mostStreams.ofKey) throw tooMany('This API key', mostStreams.ofKey);
      if (open.size >= mostStreams.inAll) throw tooMany('This process', mostStreams.inAll);
      open.add(stream);
      changed();
      return () => {
        if (open.delete(stream)) changed();
      };
    },
  };
}

const toHex = (hash: Buffer): string => hash.toString('hex');

function tooMany(who: string, limit: number): ServiceError {
  const message = `${who} already has ${limit} open streams of changes.`;
  return new ServiceError('RATE_LIMITED', message, { limit, retry_after_seconds: 5 });
}
