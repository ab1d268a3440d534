/** An answer that is not what was asked for, in the words of the API's envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** 0 where no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The error that an answer's body holds, or what stands for one where a proxy or nobody wrote it. */
export function toApiError(status: number, body: string): ApiError {
  try {
    const { error } = JSON.parse(body) as {
      error: { code: string; message: string; details: Record<string, unknown> };
    };
    return new ApiError(status, error.code, error.message, error.details);
  } catch {
    return new ApiError(
      status,
      'UNEXPECTED_ANSWER',
      `The server answered ${status} in a form nobody expected.`,
    );
  }
}

export const unreachable = (): ApiError =>
  new ApiError(
    0,
    'UNREACHABLE',
    'The server cannot be reached. Check that it runs and that you are connected.',
  );

export const isApiError = (error: unknown, code?: string): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code);
