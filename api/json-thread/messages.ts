import { ServiceError, type ErrorCode } from '../../core/errors.js';

/** A ServiceError as it passes between threads, which keep no classes. */
interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a thread says of one job. */
export type JobReply =
  | { readonly result: unknown }
  | { readonly refusal: PlainError }
  | { readonly thrown: PlainError }
  | { readonly broken: string };

export function toPlain({ code, message, details }: ServiceError): PlainError {
  return { code, message, details };
}

export function fromPlain({ code, message, details }: PlainError): ServiceError {
  return new ServiceError(code, message, details);
}
