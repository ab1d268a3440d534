import { join } from 'node:path';

/** Paths within a data directory. */
export interface DataPaths {
  /** The data directory itself, absolute. */
  readonly root: string;
  /** The admin key, that line alone. */
  readonly adminKey: string;
  /** What signs and encrypts, made by the first start. */
  readonly secret: string;
  /** What runs, for people and programs. */
  readonly stack: string;
  /** What was started, so that the next start can end what a crash left behind. */
  readonly processes: string;
  readonly ports: string;
  readonly logs: string;
  /** A folder owned by the user that PostgreSQL runs as. */
  readonly postgres: string;
  readonly postgresCredentials: string;
  readonly temporal: string;
  readonly objects: string;
}

/** The paths below a data directory. */
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
