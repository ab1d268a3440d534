import { isApiError, isAway } from '../api/client.js';

/** How many outages may interrupt an upload that has arrived in part. Its file may be what crashes the service. */
const mostInterrupted = 3;

interface Outages {
  /** Waits until the service answers. Resolves with whether it was away. */
  readonly outlast: () => Promise<boolean>;
  /** Receives whether the upload waits for the service. */
  readonly onHeld: (isHeld: boolean) => void;
}

/** Uploads again after each outage. Outages in which no byte was sent and nothing answered do not count. */
export async function sendThroughOutages<T>(
  send: (onSent: (bytes: number) => void) => Promise<T>,
  { outlast, onHeld }: Outages,
): Promise<T> {
  for (let interrupted = 0; ;) {
    let sentBytes = 0;
    try {
      return await send((bytes) => (sentBytes = Math.max(sentBytes, bytes)));
    } catch (error) {
      // URLs are sent without progress: only an answer shows that one has arrived.
      if (sentBytes > 0 || isApiError(error)) interrupted += 1;
      if (!isAway(error) || interrupted === mostInterrupted) throw error;
      onHeld(true);
      if (!(await outlast())) throw error;
      onHeld(false);
    }
  }
}
