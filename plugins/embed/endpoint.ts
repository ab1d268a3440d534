import { setTimeout as pause } from 'node:timers/promises';
import { AnswerTooLarge, callEndpoint, describeAnswer, NoAnswer } from '../call-endpoint.js';
import { PluginFailure, type PluginContext } from '@knowledge-warehouse/plugin';
import type { EmbedConfig } from './config.js';
import { vectorsOf, type Vector } from './vectors.js';

const maxTries = 4;
const firstPauseSeconds = 0.3;

type Attempt = Pick<PluginContext<EmbedConfig>, 'attempt' | 'config' | 'fetch'>;

/** The result of one try: vectors, or the reason for a retry. */
type Try = readonly Vector[] | { readonly why: string; readonly retryAfterSeconds: number | null };

/**
 * Has the endpoint embed texts in one request, with up to four tries. The pause between tries doubles, and is longer if
 * the endpoint asks for that. Throws a retryable EMBEDDING_UNAVAILABLE failure if all tries fail or a pause would
 * outlast the attempt; a non-retryable EMBEDDING_REJECTED, EMBEDDING_INVALID, EMBEDDING_TOO_LARGE or URL_NOT_ALLOWED
 * failure; or the signal's reason.
 */
export async function embedTexts(
  texts: readonly string[],
  ctx: Attempt,
  signal: AbortSignal,
): Promise<readonly Vector[]> {
  for (let tries = 1; ; tries++) {
    const result = await tryOnce(texts, ctx, signal);
    if ('length' in result) return result;
    const { why, retryAfterSeconds } = result;
    const usual = firstPauseSeconds * 2 ** (tries - 1) * (1 + Math.random() / 2);
    const seconds = Math.max(usual, retryAfterSeconds ?? 0);
    const endsInTime = Date.now() + seconds * 1000 < ctx.attempt.deadline.getTime();
    if (tries === maxTries || !endsInTime) {
      throw new PluginFailure('EMBEDDING_UNAVAILABLE', why, {
        retryable: true,
        ...(retryAfterSeconds !== null && { retryAfterSeconds }),
      });
    }
    await pause(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function tryOnce(texts: readonly string[], ctx: Attempt, signal: AbortSignal): Promise<Try> {
  const { base_url, model, api_key, dimensions, timeout_seconds, batch_size } = ctx.config;
  try {
    const answer = await callEndpoint({
      fetch: ctx.fetch,
      method: 'POST',
      url: `${base_url.replace(/\/+$/, '')}/embeddings`,
      key: 'base_url',
      ...(api_key !== undefined && { headers: { authorization: `Bearer ${api_key}` } }),
      body: {
        model,
        input: texts,
        encoding_format: 'float',
        ...(dimensions !== undefined && { dimensions }),
      },
      timeoutSeconds: timeout_seconds,
      signal,
    });
    if (answer.status === 200) return vectorsOf(answer.body, texts.length);
    const { status, retryAfterSeconds } = answer;
    const why = `The embedding endpoint responded with ${describeAnswer(answer, api_key)}`;
    if (status === 408 || status === 429 || status >= 500) return { why, retryAfterSeconds };
    throw new PluginFailure('EMBEDDING_REJECTED', why, { retryable: false, details: { status } });
  } catch (error) {
    if (error instanceof AnswerTooLarge) {
      const message = `${error.message} Lower batch_size (${batch_size}), or check base_url.`;
      throw new PluginFailure('EMBEDDING_TOO_LARGE', message, { retryable: false });
    }
    if (error instanceof NoAnswer) return { why: error.message, retryAfterSeconds: null };
    throw error;
  }
}
