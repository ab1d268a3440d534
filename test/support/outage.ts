import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './core.js';

/** Calls that go on until they are told to end. */
export interface Load {
  /** What was answered so far. */
  readonly answers: readonly Answer[];
  /** How many calls are under way at most. */
  readonly callers: number;
  end(): Promise<void>;
}

/** Calls from several sides, as fast as they are answered. */
export function startLoad(...requests: readonly (() => Promise<Answer>)[]): Load {
  const answers: Answer[] = [];
  let over = false;
  const call = async (): Promise<void> => {
    while (!over) {
      for (const request of requests) answers.push(await request());
      await pause(20);
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

/** The ids of what was answered 201. */
export function idsOf(answers: readonly Answer[]): string[] {
  return answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
}

/** The answers that say no. */
export function refusals(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status >= 400);
}

/** What is refused is refused with 503, this code and the seconds after which to ask again. */
export function assertUnavailable(code: string, answers: readonly Answer[]): void {
  for (const { status, body, headers } of answers) {
    assert.deepEqual([status, body.error?.code], [503, code]);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
}
