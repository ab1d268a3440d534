import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import { api, isApiError, outlastOutage } from '../api/client.js';
import { newId } from '../api/new-id.js';
import { resourceKeys } from '../api/resources.js';
import { endIfRefused, useSession } from '../api/session.js';
import { sendThroughOutages } from './send-through-outages.js';
import { createUploadQueue, isUnderWay, type QueueItem, type UploadQueue } from './upload-queue.js';

const QueueContext = createContext<UploadQueue | null>(null);

/**
 * Keeps uploads running across views, and asks before the page is closed while they run. When the session ends, they
 * pause. They continue if the user logs in again with the same API key.
 */
export function Uploads({ children }: { readonly children: ReactNode }): ReactElement {
  const client = useQueryClient();
  const [queue] = useState(() =>
    createUploadQueue(async ({ id, name, type, source }, signal, onProgress, onHeld) => {
      // The rate limit does not count as a try: the item waits, and nothing of it has been sent.
      const onRetry = (error: Error): void => {
        if (isApiError(error) && error.status === 429) onProgress(0);
      };
      const common = { name, type, idempotencyKey: id, signal, patience: { tries: 3, onRetry } };
      const register = async (onSent: (bytes: number) => void): Promise<string> => {
        const onFileSent = (bytes: number): void => {
          onSent(bytes);
          onProgress(bytes);
        };
        const resource = await (source.kind === 'URL'
          ? api.addUrl({ ...common, url: source.url })
          : api.upload({ ...common, file: source.file, onSent: onFileSent }));
        return resource.id;
      };
      try {
        return await sendThroughOutages(register, { outlast: () => outlastOutage(signal), onHeld });
      } catch (error) {
        if (!signal.aborted) endIfRefused(client, error);
        throw error;
      } finally {
        // The events of new resources reload lists. Without a stream, the end of the last upload does.
        const isLast = !queue.items().some((item) => item.id !== id && isUnderWay(item));
        void client.invalidateQueries({
          queryKey: resourceKeys.lists,
          refetchType: isLast ? 'active' : 'none',
        });
      }
    }, newId),
  );

  const { data: session } = useSession();
  const keyId = session && session.hasEnded !== true ? session.api_key.id : null;
  // Before anything is painted, so that no user sees the list of another.
  useLayoutEffect(() => {
    if (keyId === null) return undefined;
    queue.resume(keyId);
    return () => queue.pause();
  }, [queue, keyId]);

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (queue.items().some(isUnderWay)) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [queue]);

  return <QueueContext value={queue}>{children}</QueueContext>;
}

export function useUploadQueue(): UploadQueue {
  const queue = use(QueueContext);
  if (queue === null) throw new Error('There is no <Uploads> around this.');
  return queue;
}

/** Returns the items. Uploads report their progress more often than the page can be drawn. */
export function useUploadItems(): readonly QueueItem[] {
  const queue = useUploadQueue();
  const subscribe = useCallback(
    (listener: () => void): (() => void) => {
      let frame: number | null = null;
      const stop = queue.subscribe(() => {
        frame ??= requestAnimationFrame(() => {
          frame = null;
          listener();
        });
      });
      return () => {
        stop();
        if (frame !== null) cancelAnimationFrame(frame);
      };
    },
    [queue],
  );
  return useSyncExternalStore(subscribe, queue.items);
}
