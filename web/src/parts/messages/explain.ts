import { Unreachable } from '@knowledge-warehouse/client';
import { isApiError } from '../../api/client.js';

export interface Explanation {
  readonly title: string;
  readonly text: string;
}

const titles: Readonly<Record<string, string>> = {
  PRECONDITION_FAILED: 'Changed by someone else',
  RESOURCE_PROCESSING: 'It is being processed',
  RESOURCE_NOT_PROCESSING: 'It is no longer being processed',
  STEP_NOT_RESUMABLE: 'It cannot resume from that step',
  NO_MATCHING_PIPELINE: 'No pipeline for this type',
  TRIGGER_TYPE_TAKEN: 'Another pipeline has this trigger type',
  PLUGIN_IN_USE: 'The plugin is in use',
  PLUGIN_EXISTS: 'A plugin with this id exists',
  LAST_ADMIN_KEY: 'It is the last admin key',
  UNKNOWN_PLUGIN: 'A step names a plugin that is not registered',
  IDEMPOTENCY_IN_PROGRESS: 'The same request is still in progress',
  UNAUTHENTICATED: 'You are no longer logged in',
  LOGIN_REFUSED: 'Log-in failed',
  FORBIDDEN: 'Your key does not allow this',
  NOT_FOUND: 'Not found',
  RATE_LIMITED: 'Too many requests',
  PAYLOAD_TOO_LARGE: 'It is too large',
  VALIDATION_FAILED: 'Invalid input',
  URL_NOT_ALLOWED: 'This address is not allowed',
  DATABASE_UNAVAILABLE: 'The database does not answer',
  ARTIFACT_UNREADABLE: 'The stored content is damaged',
  STORAGE_UNAVAILABLE: 'The object store cannot be used',
  TEMPORAL_UNAVAILABLE: 'Temporal does not answer',
  SEARCH_UNAVAILABLE: 'Search is unavailable',
};

const inFront =
  'Something other than the service answered, such as a proxy that requires a log-in: open the page in a new tab, then try again.';

/** What to do next, if the server's message does not say it. */
const advice: Readonly<Record<string, string>> = {
  PRECONDITION_FAILED: 'Nothing was overwritten.',
  RESOURCE_PROCESSING: 'Cancel the run, or wait until it has ended, then try again.',
  RESOURCE_NOT_PROCESSING: 'Its run has already ended.',
  NO_MATCHING_PIPELINE: 'Create a pipeline with this trigger type, then reprocess.',
  TRIGGER_TYPE_TAKEN: 'Each trigger type has one pipeline: edit that one, or choose another type.',
  UNAUTHENTICATED: 'Log in, then try again.',
  HTTP_200: inFront,
  HTTP_401: inFront,
  NOT_FOUND: 'It was deleted, or the address is wrong.',
  DATABASE_UNAVAILABLE: 'Nothing is lost. Try again in a moment.',
  STORAGE_UNAVAILABLE: 'Nothing is lost. Try again in a moment.',
  TEMPORAL_UNAVAILABLE: 'Nothing is lost. Try again in a moment.',
};

/** The errors whose messages tell a program which header to send. */
const forPrograms = new Set(['PRECONDITION_FAILED', 'UNAUTHENTICATED']);

/** Converts an error to text for users. */
export function explain(error: Error): Explanation {
  if (error instanceof Unreachable)
    return { title: 'The server cannot be reached', text: 'Check that it runs and that you are connected.' };
  if (!isApiError(error)) return { title: 'Something went wrong', text: error.message };
  const title = titles[error.code] ?? 'The action failed';
  const errors = error.findings.map(({ path, message }) =>
    path === '' ? `It ${message}.` : `${path.slice(1)} ${message}.`,
  );
  // The message repeats the first of the errors, and some messages are for programs.
  const isLeftOut = errors.length > 0 || forPrograms.has(error.code);
  const parts = [...(isLeftOut ? errors : [error.message]), advice[error.code] ?? ''];
  return { title, text: parts.filter((part) => part !== '').join(' ') };
}
