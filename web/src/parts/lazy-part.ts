import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { outlastOutage } from '../api/client.js';

/**
 * Like React's `lazy`, for a part of the program that is loaded when it is first shown. While the service does not
 * answer it stays loading, because React would keep a failure until the page is reloaded.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => loadPatiently(load));

async function loadPatiently<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    await outlastOutage();
    return await load();
  }
}
