import { ApiError } from '@knowledge-warehouse/client';

/** The source to register: a file or an address. */
export type Source =
  { readonly kind: 'UPLOAD'; readonly file: File } | { readonly kind: 'URL'; readonly url: string };

export interface NewItem {
  readonly name: string;
  readonly type: string;
  readonly source: Source;
}

export type ItemState =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'sending';
      readonly sentBytes: number;
      /** The service is away. The item is sent again when it answers. */
      readonly isHeld?: boolean;
    }
  | { readonly kind: 'done'; readonly resourceId: string }
  | { readonly kind: 'failed'; readonly error: Error }
  | {
      readonly kind: 'cancelled';
      /** Everything had been sent, so the service may have registered it. */
      readonly mayBeAdded: boolean;
    };

export interface QueueItem extends NewItem {
  /** Also the Idempotency-Key of each attempt, so that a retry after a lost connection does not create a duplicate. */
  readonly id: string;
  readonly state: ItemState;
}

/** Registers one item and returns the id of its resource. */
export type Send = (
  item: QueueItem,
  signal: AbortSignal,
  onProgress: (sentBytes: number) => void,
  onHeld: (isHeld: boolean) => void,
) => Promise<string>;

export interface UploadQueue {
  readonly subscribe: (listener: () => void) => () => void;
  readonly items: () => readonly QueueItem[];
  readonly add: (items: readonly NewItem[]) => void;
  readonly cancel: (id: string) => void;
  readonly retry: (id: string) => void;
  /** Retries all failed items for which that may help. */
  readonly retryAll: () => void;
  /** Removes finished items from the list. */
  readonly clear: () => void;
  /** Continues for a user, with an empty list if it is another user than before. A new queue waits for this. */
  readonly resume: (user: string) => void;
  /** Stops sending. Items that are not finished wait until the queue is resumed. */
  readonly pause: () => void;
  /** Cancels what is not finished and empties the list. */
  readonly drop: () => void;
}

export const isUnderWay = ({ state }: QueueItem): boolean =>
  state.kind === 'waiting' || state.kind === 'sending';

/** Whether the service has all it needs to register an item that is being sent. */
export const isWhollySent = ({ source, state }: QueueItem): boolean =>
  state.kind === 'sending' && (source.kind === 'URL' || state.sentBytes >= source.file.size);

/** Whether the browser could not read the file of an item. Errors of the page can have the same names. */
export const isUnreadable = ({ source, state }: QueueItem): boolean =>
  source.kind === 'UPLOAD' &&
  state.kind === 'failed' &&
  (state.error.name === 'NotReadableError' || state.error.name === 'NotFoundError');

/** Whether it may help to send an item again. */
export const canRetry = (item: QueueItem): boolean => {
  const { state } = item;
  if (state.kind !== 'failed') return state.kind === 'cancelled';
  const isInvalid = state.error instanceof ApiError && state.error.code === 'VALIDATION_FAILED';
  return !isInvalid && !isUnreadable(item);
};

const atOnce = 4;

/** Registers items in order, four at a time. `makeId` must return unique ids. */
export function createUploadQueue(send: Send, makeId: () => string): UploadQueue {
  let items: readonly QueueItem[] = [];
  const listeners = new Set<() => void>();
  const running = new Map<string, AbortController>();
  let owner: string | null = null;
  let isPaused = true;

  const update = (next: readonly QueueItem[]): void => {
    items = next;
    for (const listener of listeners) listener();
  };
  const setState = (id: string, state: ItemState): void =>
    update(items.map((item) => (item.id === id ? { ...item, state } : item)));
  /** Lets items wait again. */
  const putBack = (isMeant: (item: QueueItem) => boolean): void =>
    update(items.map((item) => (isMeant(item) ? { ...item, state: { kind: 'waiting' } } : item)));

  const run = async (item: QueueItem): Promise<void> => {
    const controller = new AbortController();
    running.set(item.id, controller);
    setState(item.id, { kind: 'sending', sentBytes: 0 });
    // What was stopped is tried again with the same key, so its own outcome does not matter.
    const isCurrent = (): boolean => running.get(item.id) === controller;
    const settle = (state: ItemState): void => {
      running.delete(item.id);
      setState(item.id, state);
      fill();
    };
    try {
      const onProgress = (sentBytes: number): void => {
        if (isCurrent()) setState(item.id, { kind: 'sending', sentBytes });
      };
      const onHeld = (isHeld: boolean): void => {
        const state = items.find(({ id }) => id === item.id)?.state;
        if (isCurrent() && state?.kind === 'sending') setState(item.id, { ...state, isHeld });
      };
      const resourceId = await send(item, controller.signal, onProgress, onHeld);
      if (isCurrent()) settle({ kind: 'done', resourceId });
    } catch (thrown) {
      if (!isCurrent()) return;
      const error = thrown as Error;
      const mayBeAdded = items.some((each) => each.id === item.id && isWhollySent(each));
      if (controller.signal.aborted) settle({ kind: 'cancelled', mayBeAdded });
      // The session has ended, so the others would fail as well.
      else if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') pause();
      else settle({ kind: 'failed', error });
    }
  };
  const stop = (): void => {
    for (const controller of running.values()) controller.abort();
    running.clear();
  };
  const pause = (): void => {
    isPaused = true;
    stop();
    putBack(({ state }) => state.kind === 'sending');
  };
  const drop = (): void => {
    stop();
    update([]);
  };
  const fill = (): void => {
    while (!isPaused && running.size < atOnce) {
      const next = items.find(({ state }) => state.kind === 'waiting');
      if (next === undefined) return;
      void run(next);
    }
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    items: () => items,
    add(added) {
      update([
        ...items,
        ...added.map((item) => ({ ...item, id: makeId(), state: { kind: 'waiting' } as const })),
      ]);
      fill();
    },
    cancel(id) {
      const controller = running.get(id);
      if (controller !== undefined) controller.abort();
      else setState(id, { kind: 'cancelled', mayBeAdded: false });
    },
    retry(id) {
      setState(id, { kind: 'waiting' });
      fill();
    },
    retryAll() {
      putBack((item) => item.state.kind === 'failed' && canRetry(item));
      fill();
    },
    clear: () => update(items.filter(isUnderWay)),
    resume(user) {
      if (owner !== user) drop();
      owner = user;
      isPaused = false;
      fill();
    },
    pause,
    drop,
  };
}
