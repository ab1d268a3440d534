import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../service/core.js';

/** Calls that repeat until they are stopped. */
export interface Load {
  /** The responses so far. */
  readonly answers: readonly Answer[];
  /** The maximum number of concurrent calls. */
  readonly callers: number;
  end(): Promise<void>;
}

/** Starts concurrent callers that send the requests again and again. */
export function startLoad(...requests: readonly (() => Promise<Answer>)[]): Load {
  const answers: Answer[] = [];
  let over = false;
  const call = async (): Promise<void> => {
    while (!over) {
      for (const request of requests) answers.push(await request());
      await pause(100);
    }
  };
  const callers = [call(), call(), call()];
  return {
    answers,
    callers: callers.length,
    async end() {
      over = true;
      await Promise.all(callers);
    },
  };
}

/** Returns the ids in the responses with status 201. */
export function idsOf(answers: readonly Answer[]): string[] {
  return answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
}

/** Returns the responses with errors. */
export function refusals(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status >= 400);
}

/** Asserts that all errors are 503 with this code and a Retry-After in seconds. */
export function assertUnavailable(code: string, answers: readonly Answer[]): void {
  for (const { status, body, headers } of answers) {
    assert.deepEqual([status, body.error?.code], [503, code]);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
}
