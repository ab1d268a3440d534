import type { OutboxMessage } from '../../core/outbox.js';
import type { LogFields } from '../logging/log-fields.js';
import type { Logger } from '../logging/logger.js';
import { withOrigin } from '../logging/origin.js';
import { reasonOf } from './errors.js';
import { inSpan } from '../tracing/spans.js';
import type { WorkflowClient } from './workflow-client.js';

/** The repository functions that the sender uses. */
export interface OutboxStore {
  lease(options: { readonly limit: number; readonly only?: number }): Promise<readonly OutboxMessage[]>;
  /** Removes a sent message; for the start of a run, also marks its first step as running. */
  sent(message: OutboxMessage): Promise<void>;
  postpone(message: OutboxMessage, error: string): Promise<void>;
  /** Called with the number of overdue starts that a sweep has sent. */
  startedLate(count: number): Promise<void>;
}

export interface OutboxSender {
  /**
   * Sends one message soon after its commit; if that fails, `sweep` does it. Does not wait and never throws. Few are
   * sent at once: if thousands are, Temporal answers none in time. If very many wait, `sweep` sends it.
   */
  sendSoon(id: number | null): void;
  /**
   * Sends pending messages for at most a few seconds, and starts no more once the signal says that the process is
   * stopping. 'MORE' means that some may be left.
   */
  sweep(signal?: AbortSignal): Promise<'ALL' | 'MORE'>;
  /** Resolves when no message waits and none is being sent. */
  idle(): Promise<void>;
  /** Leaves waiting messages to the sweeps of other processes. Resolves when no message is being sent. */
  close(): Promise<void>;
}

/** How many messages a process sends at once right after their commit, and how many in a sweep. */
const atOnce = { soon: 32, sweep: 50 };
/**
 * The maximum number of waiting messages. After an outage, more would delay new ones, although sweeps have sent them
 * meanwhile.
 */
const mostWaiting = 1_000;
/** The time limit of one sweep, so that a long backlog or a hanging server does not block other sweeps. */
const longestSweepMs = 2_000;

/** The log fields of a message. */
function about({ kind, resource_id, run }: OutboxMessage): Record<string, string | number> {
  if (kind === 'OPERATION') return { operation_id: resource_id };
  return { resource_id, ...(run !== null && { run }) };
}

const spanAttributes = ({ kind, resource_id }: OutboxMessage): Record<string, string> => ({
  [kind === 'OPERATION' ? 'kw.operation_id' : 'kw.resource_id']: resource_id,
});

/** Creates the sender of a process. Any number of senders may share an outbox: leases keep them apart. */
export function createOutboxSender(
  store: OutboxStore,
  workflows: WorkflowClient,
  log: Logger,
  logFields: LogFields,
): OutboxSender {
  const sending = new Set<Promise<unknown>>();
  let waiting: number[] = [];

  const deliver = async (message: OutboxMessage): Promise<void> => {
    const { kind, resource_id: resourceId, run, origin } = message;
    if (kind === 'CLEAN_UP')
      await workflows.startCleanUp(run === null ? { resourceId } : { resourceId, run }, origin);
    else if (kind === 'OPERATION') await workflows.startOperation(resourceId, origin);
    else if (run === null) throw new Error(`A message ${kind} without a run.`);
    else if (kind === 'CANCEL') await workflows.cancelRun(resourceId, run);
    else if (message.start !== null) await workflows.startRun({ ...message.start, resourceId, run, origin });
  };

  const send = (message: OutboxMessage): Promise<boolean> =>
    withOrigin(logFields, message.origin, about(message), async () => {
      try {
        const attributes = spanAttributes(message);
        await inSpan(`outbox ${message.kind}`, { attributes }, () => deliver(message));
        await store.sent(message);
        return true;
      } catch (error) {
        log.warn({ err: error, outbox_id: message.id, kind: message.kind }, 'not sent; retrying later');
        await store.postpone(message, reasonOf(error));
        return false;
      }
    });

  const sendLeased = async (
    options: Parameters<OutboxStore['lease']>[0],
  ): Promise<{ readonly message: OutboxMessage; readonly sent: boolean }[]> =>
    await Promise.all(
      (await store.lease(options)).map(async (message) => ({ message, sent: await send(message) })),
    );

  const sendNext = (): void => {
    const id = sending.size < atOnce.soon ? waiting.shift() : undefined;
    if (id === undefined) return;
    const work = sendLeased({ limit: 1, only: id })
      .catch((error: unknown) =>
        log.warn({ err: error, outbox_id: id }, 'a message was not sent; the sweeper will retry'),
      )
      .finally(() => {
        sending.delete(work);
        sendNext();
      });
    sending.add(work);
  };
  const idle = async (): Promise<void> => {
    while (sending.size > 0) await Promise.all(sending);
  };

  return {
    sendSoon(id) {
      if (id === null) return;
      if (waiting.length < mostWaiting) waiting.push(id);
      sendNext();
    },
    async sweep(signal) {
      const end = performance.now() + longestSweepMs;
      while (signal?.aborted !== true && performance.now() < end) {
        const results = await sendLeased({ limit: atOnce.sweep });
        const late = results.filter(({ message, sent }) => sent && message.kind === 'START' && message.late);
        await store.startedLate(late.length);
        if (results.length < atOnce.sweep) return 'ALL';
      }
      return 'MORE';
    },
    idle,
    async close() {
      waiting = [];
      await idle();
    },
  };
}
