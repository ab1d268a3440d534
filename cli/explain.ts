import { ApiError, Unreachable } from '@knowledge-warehouse/client';
import { plain } from './terminal/text.js';

/** Hints for errors of the API, by code. */
const hints: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Log in with "kw login", or set KW_API_KEY to a valid key.',
  FORBIDDEN: 'Use a key that allows this: "kw login", or KW_API_KEY.',
  RESOURCE_PROCESSING: 'Wait for it with "kw watch", or stop it with "kw cancel".',
  RESOURCE_NOT_PROCESSING: '"kw show" shows its status.',
  STEP_NOT_RESUMABLE: '"kw show" lists its steps; without --from-step it runs from the start.',
  NO_MATCHING_PIPELINE: 'Create a pipeline for its type with "kw pipelines apply", then run "kw reprocess".',
  UNKNOWN_PLUGIN: '"kw plugins ls" lists the registered plugins.',
  TRIGGER_TYPE_TAKEN: 'Someone else just created it: look at it with "kw pipelines show", then apply again.',
  PRECONDITION_FAILED: 'Something changed in the meantime: check the current state, then try again.',
  PLUGIN_EXISTS: 'Look at it with "kw plugins show".',
  URL_NOT_ALLOWED:
    'An operator can allow a host: KW_URL_ALLOW for sources, KW_PLUGIN_HOSTS for plugin endpoints.',
  INTERNAL: 'See the log of the service.',
};

/** The codes of certificates whose authority is not known. */
const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY)_.*)$/;

/** Describes a failed request for users: what happened, where, and what to do about it. */
export function explainService(error: ApiError | Unreachable): string[] {
  if (error instanceof Unreachable) return [error.message, hintForUnreachable(error)].map(oneLine);
  const findings =
    error.findings.length > 1 ? error.findings.map(({ path, message }) => `  ${path}: ${message}`) : [];
  const hint = hintFor(error);
  return [
    `${error.message} (${error.code})`,
    ...findings,
    ...usersOf(error),
    ...(hint === null ? [] : [hint]),
  ].map(oneLine);
}

function hintForUnreachable({ url, cause }: Unreachable): string {
  const { code = '' } = (cause ?? {}) as { readonly code?: string };
  if (code.startsWith('ERR_SSL_'))
    return `If the service uses http, use ${url.replace(/^https:/, 'http:')} as its URL.`;
  if (untrusted.test(code))
    return 'If you trust its certificate, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority.';
  return 'Is it running, and is the URL right? See "kw login --help".';
}

/** A hint for an error; null if none applies to all errors of its kind. */
export function hintFor(error: unknown): string | null {
  return error instanceof ApiError ? (hints[error.code] ?? null) : null;
}

/** Describes one of many errors, without a hint. */
export function explainShortly(error: unknown): string {
  if (error instanceof ApiError) return oneLine(`${error.message} (${error.code})`);
  return (error instanceof Error ? error.message : String(error)).split('\n').map(oneLine).join('\n');
}

/** The pipelines that use a plugin. */
function usersOf({ code, details }: ApiError): string[] {
  if (code !== 'PLUGIN_IN_USE') return [];
  return Object.entries(details).flatMap(([what, who]) =>
    Array.isArray(who) && who.length > 0 ? [`  ${what}: ${who.map(nameOf).join(', ')}`] : [],
  );
}

const nameOf = (one: unknown): string => {
  const { name, id } = one as { readonly name?: string; readonly id?: string };
  return name ?? id ?? JSON.stringify(one);
};

const oneLine = (text: string): string => (/^ */.exec(text)?.[0] ?? '') + plain(text).trim();
