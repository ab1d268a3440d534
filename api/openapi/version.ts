import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('knowledge-warehouse/package.json') as {
  readonly version: string;
};

/** The version of the package, and so of the API. */
export const { version } = manifest;
