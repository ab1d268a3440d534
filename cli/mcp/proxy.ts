import { explainShortly } from '../explain.js';
import { plain } from '../terminal/text.js';
import type { Exchange } from './exchange.js';
import { refused, type Line, type Message } from './messages.js';

/** The method whose answer is a stream that stays open. */
const listening = 'subscriptions/listen';

interface Proxied {
  readonly messages: AsyncIterable<Line>;
  readonly exchange: Exchange;
  readonly write: (message: Message) => Promise<void>;
  /** Receives what keeps the service from answering, but not again while that stays the same. */
  readonly report: (problem: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Forwards messages concurrently and returns their answers, until the input has ended and everything is
 * answered. Messages that cannot be forwarded are answered with an error.
 */
export async function passOn({ messages, exchange, write, report, signal }: Proxied): Promise<void> {
  const atWork = new Map<Message['id'], { readonly method: string; readonly stop: AbortController }>();
  const pending = new Set<Promise<void>>();
  let reported: string | null = null;

  const answer = async (message: Message): Promise<void> => {
    const { id, method = '' } = message;
    const stop = new AbortController();
    const isRequest = id !== undefined && id !== null;
    if (isRequest) atWork.set(id, { method, stop });
    let isAnswered = !isRequest;
    const reply = async (answer: Message): Promise<void> => {
      const isFinal = answer.method === undefined;
      const problem = answer.error?.code === refused ? reasonOf(answer.error.message) : null;
      if (problem !== null && problem !== reported) report(problem);
      if (isFinal) reported = problem;
      // An error from before the message was parsed does not contain its id.
      if (isFinal && isRequest) await write({ ...answer, id });
      else if (!isFinal) await write(answer);
      isAnswered ||= isFinal;
    };
    try {
      for await (const each of exchange(message, AbortSignal.any([signal, stop.signal]))) await reply(each);
      if (!isAnswered) await reply(failure('The answer ended early.'));
    } catch (error) {
      // A cancelled request expects no answer.
      if (!stop.signal.aborted && !signal.aborted && !isAnswered) await reply(failure(explainShortly(error)));
    } finally {
      if (isRequest) atWork.delete(id);
    }
  };

  for await (const message of messages) {
    if (message === null) await write({ jsonrpc: '2.0', id: null, error: notRead });
    else if (message.method === 'notifications/cancelled')
      atWork.get(message.params?.['requestId'] as Message['id'])?.stop.abort();
    else if (message.method !== undefined) {
      const work = answer(message).finally(() => pending.delete(work));
      pending.add(work);
    }
  }
  for (const { method, stop } of atWork.values()) if (method === listening) stop.abort();
  await Promise.all(pending);
}

const notRead = { code: -32_700, message: 'The line is not a JSON-RPC message.' };

/** Formats the message of an error, which may come from something else than the service. */
const reasonOf = (message: unknown): string =>
  typeof message === 'string' ? plain(message) : 'The service reported an error without a message.';

const failure = (message: string): Message => ({ jsonrpc: '2.0', error: { code: refused, message } });
