import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../protocol/text.js';

/** They will not lead to Core later either, unlike those of a server under maintenance. */
const permanentRedirects = [301, 308];

interface Envelope {
  readonly error?: { readonly code?: string; readonly message?: string };
}

/** Core refused a request or did not respond. */
export class CoreError extends Error {
  override readonly name = 'CoreError';

  private constructor(
    /** The status of the response, or null if there was none. */
    readonly status: number | null,
    /** The code in the error envelope; CORE_UNAVAILABLE if there was none. */
    readonly code: string,
    message: string,
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }

  static ofAnswer(status: number, retryAfter: string | string[] | undefined, body: string): CoreError {
    const seconds = Number.parseInt(String(retryAfter), 10);
    const { code, message } = ((parseJson(body) ?? {}) as Envelope).error ?? {};
    const text = `${message ?? 'Core refused a request'} (${status})`;
    return new CoreError(status, code ?? `HTTP_${status}`, text, seconds >= 0 ? seconds : null);
  }

  static ofSilence(url: string, reason: string): CoreError {
    const message = `Core at ${new URL(url).origin} does not answer: ${reason || 'no connection'}`;
    return new CoreError(null, 'CORE_UNAVAILABLE', message, null);
  }

  /** Something else answers at Core's address: a redirect, or a response that is not Core's. */
  static ofStranger(url: string, status: number, reason: string): CoreError {
    const message = `${url} is not the address of the service: it ${reason}. Check KW_URL, or KW_PUBLIC_URL of the service.`;
    return new CoreError(status, `HTTP_${status}`, message, null);
  }

  static ofBrokenRead(reason: string): CoreError {
    return new CoreError(null, 'CORE_UNAVAILABLE', `Reading from Core was interrupted: ${reason}`, null);
  }

  /** Whether Core found the requested content missing or damaged, so that no worker can process it. */
  get unreadable(): boolean {
    return this.code === 'SOURCE_UNREADABLE' || this.code === 'ARTIFACT_UNREADABLE';
  }

  /** Whether something answered in Core's place, such as a page during maintenance, or a server at a wrong URL. */
  get foreign(): boolean {
    return this.status !== null && this.status < 400;
  }

  /** Whether the same request may succeed later. */
  get transient(): boolean {
    if (this.unreadable) return false;
    if (this.status === null || this.status >= 500 || [408, 425, 429].includes(this.status)) return true;
    return this.foreign && !permanentRedirects.includes(this.status);
  }
}

/**
 * Runs an operation that needs Core, and retries it while Core is unavailable. Pauses grow to ten seconds, or are as
 * long as Core asks for. Throws a CoreError that is not transient, any other error of `work` or `onAway`, and the
 * signal's reason if it aborts.
 */
export async function whileCoreIsAway<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onAway: (error: CoreError) => void,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CoreError && error.transient)) throw error;
      onAway(error);
      const seconds = error.retryAfterSeconds ?? Math.min(10, 2 ** tries / 4) * (0.75 + Math.random() / 2);
      await pause(Math.min(60, Math.max(0.1, seconds)) * 1_000, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}
