import type { ServerEventBus } from '#bundled/mcp-server';
import type { ChangeEvent } from '../../core/events.js';
import type { EventFollower } from '../../runtime/events/event-feed.js';

/** Milliseconds between two notifications that the list changed: many changes share one. */
const listPauseMs = 1_000;
/** Hidden resources to remember besides those subscribed to. */
const mostHidden = 10_000;

/** The URIs that a client subscribed to, as it wrote them, by the resource that they name. */
export type SubscribedUris = ReadonlyMap<string, readonly string[]>;

/** Notifies one client of changes through the protocol. */
export interface ChangeNotifier {
  readonly follower: Omit<EventFollower, 'end'>;
  /** Resources that are hidden when the subscription begins. */
  hide(ids: Iterable<string>): void;
  stop(): void;
}

export function createChangeNotifier(bus: ServerEventBus, subscribed: SubscribedUris): ChangeNotifier {
  const notifyUpdated = (id: string): void => {
    for (const uri of subscribed.get(id) ?? []) bus.publish({ kind: 'resource_updated', uri });
  };
  const list = createPacer(listPauseMs, () => bus.publish({ kind: 'resources_list_changed' }));
  const hidden = createHiddenSet((id) => subscribed.has(id));
  return {
    follower: {
      ready: () => undefined,
      // Events in between may have been missed.
      reset() {
        list.call();
        for (const id of subscribed.keys()) notifyUpdated(id);
      },
      deliver(event) {
        if (event.resourceId === null || hidden.stays(event.resourceId, event)) return;
        if (changesList(event)) list.call();
        if (changesText(event)) notifyUpdated(event.resourceId);
      },
      hasRoom: () => Promise.resolve(),
    },
    hide: (ids) => hidden.add(ids),
    stop: () => list.stop(),
  };
}

/**
 * Remembers which resources are disabled or deleted: once a client knows that one is hidden, it must learn no more
 * about it. Of resources without a subscription, the ones hidden first are forgotten when there are too many.
 */
function createHiddenSet(isSubscribed: (id: string) => boolean): {
  add(ids: Iterable<string>): void;
  /** Notes what an event says. Returns whether the resource was hidden before and still is. */
  stays(id: string, event: ChangeEvent): boolean;
} {
  const [subscribed, others] = [new Set<string>(), new Set<string>()];
  const setOf = (id: string): Set<string> => (isSubscribed(id) ? subscribed : others);
  const add = (id: string): void => {
    setOf(id).add(id);
    const [oldest] = others.size > mostHidden ? others : [];
    if (oldest !== undefined) others.delete(oldest);
  };
  return {
    add(ids) {
      for (const id of ids) add(id);
    },
    stays(id, { type, data }) {
      const wasHidden = setOf(id).has(id);
      if (type === 'resource.deleted' || data['is_enabled'] === false) add(id);
      else if (data['is_enabled'] === true) setOf(id).delete(id);
      return wasHidden && setOf(id).has(id);
    },
  };
}

/**
 * Whether the list of texts may have changed. Events do not carry a resource's previous state, so a resource
 * that was never listed causes a superfluous notification.
 */
function changesList({ type, data }: ChangeEvent): boolean {
  if (type === 'resource.deleted') return true;
  if (type !== 'resource.updated') return false;
  const { status, run, is_enabled } = data;
  return status === 'COMPLETED' || is_enabled === false || (status === 'PROCESSING' && Number(run) > 1);
}

/** Whether reading a resource's URI may now return another text, or none. */
function changesText(event: ChangeEvent): boolean {
  const isArtifact = event.type === 'artifact.updated' || event.type === 'artifact.deleted';
  return isArtifact ? event.data['type'] === 'text' : changesList(event);
}

/** Calls `work` immediately, then at most once per `pauseMs` while calls are requested. */
function createPacer(pauseMs: number, work: () => void): { call(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;
  const call = (): void => {
    if (timer !== undefined) {
      isAsked = true;
      return;
    }
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (!isAsked) return;
      isAsked = false;
      call();
    }, pauseMs).unref();
  };
  return { call, stop: () => clearTimeout(timer) };
}
