import { join } from 'node:path';

/** Paths within a data directory. */
export interface DataPaths {
  /** The data directory itself, absolute. */
  readonly root: string;
  /** The file with the admin key, on a single line. */
  readonly adminKey: string;
  /** The secret that signs and encrypts; created by the first start. */
  readonly secret: string;
  /** The description of what is running, for people and programs. */
  readonly stack: string;
  /** The started processes, so that the next start can end what a crash left behind. */
  readonly processes: string;
  readonly ports: string;
  readonly logs: string;
  /** A folder owned by the user that PostgreSQL runs as. */
  readonly postgres: string;
  readonly postgresCredentials: string;
  readonly temporal: string;
  readonly objects: string;
}

export function dataPaths(root: string): DataPaths {
  return {
    root,
    adminKey: join(root, 'admin-key'),
    secret: join(root, 'secret'),
    stack: join(root, 'stack.json'),
    processes: join(root, 'processes.json'),
    ports: join(root, 'ports.json'),
    logs: join(root, 'logs'),
    postgres: join(root, 'postgres'),
    postgresCredentials: join(root, 'postgres.json'),
    temporal: join(root, 'temporal'),
    objects: join(root, 'objects'),
  };
}
