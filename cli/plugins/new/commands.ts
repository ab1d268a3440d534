/** The options of `kw plugins new`, unparsed. */
export interface NewFlags {
  readonly language: 'typescript' | 'python';
  readonly kind?: 'activity' | 'http';
  readonly dir?: string;
}

/** The properties of a new plugin. */
export interface Skeleton extends Required<Pick<NewFlags, 'language' | 'kind'>> {
  readonly id: string;
}

/** The commands to type in the folder of a new plugin. */
export interface Commands {
  readonly install: string | null;
  readonly start: string;
  /** The port on which an HTTP worker listens by default. */
  readonly endpoint: string | null;
}

export function commandsOf({ language, kind }: Pick<Skeleton, 'language' | 'kind'>): Commands {
  if (language === 'typescript') {
    const endpoint = kind === 'http' ? 'http://127.0.0.1:8090/' : null;
    return { install: 'npm install', start: 'npm start', endpoint };
  }
  if (kind === 'http')
    return { install: null, start: 'python3 worker.py', endpoint: 'http://127.0.0.1:8091/' };
  return {
    install: 'python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt',
    start: '.venv/bin/python worker.py',
    endpoint: null,
  };
}
