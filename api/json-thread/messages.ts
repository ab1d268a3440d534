import { ServiceError, type ErrorCode } from '../../core/errors.js';

/** A ServiceError in transit between threads, which do not preserve classes. */
interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A thread's reply to one job. */
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
