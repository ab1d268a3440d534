import type { ServerEventBus } from '#bundled/mcp-server';
import type { ChangeEvent } from '../../core/events.js';
import type { EventFollower } from '../../runtime/events/event-feed.js';
import { parseTextUri } from './texts/text-id.js';

/** Milliseconds between two notifications that the list changed: many changes share one. */
const listPauseMs = 1_000;

/** Notifies one client of changes through the protocol. */
export interface ChangeNotifier {
  readonly follower: Omit<EventFollower, 'end'>;
  stop(): void;
}

/** @param uris The texts whose changes the client subscribed to. */
export function createChangeNotifier(bus: ServerEventBus, uris: readonly string[]): ChangeNotifier {
  const wanted = new Set(uris);
  const byResource = groupByResource(wanted);
  const notifyUpdated = (some: Iterable<string>): void => {
    for (const uri of some) bus.publish({ kind: 'resource_updated', uri });
  };
  const list = createPacer(listPauseMs, () => bus.publish({ kind: 'resources_list_changed' }));
  return {
    follower: {
      ready: () => undefined,
      // Events in between may have been missed.
      reset() {
        list.call();
        notifyUpdated(wanted);
      },
      deliver(event) {
        if (event.resourceId === null) return;
        if (changesList(event)) list.call();
        if (changesText(event)) notifyUpdated(byResource.get(event.resourceId) ?? []);
      },
      hasRoom: () => Promise.resolve(),
    },
    stop: () => list.stop(),
  };
}

/** Groups URIs by their resource: a text has one URI for each offset. */
function groupByResource(uris: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const uri of uris) {
    const id = parseTextUri(uri)?.resourceId;
    if (id !== undefined) groups.set(id, [...(groups.get(id) ?? []), uri]);
  }
  return groups;
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
