import type { Route } from '../route.js';

/** Every operation of the service. */
export const routes: readonly Route[] = [];
