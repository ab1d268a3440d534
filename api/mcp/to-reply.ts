import type { Reply } from '../route.js';

/** An answer that the SDK made, as one of ours: JSON, or nothing. */
export async function toReply(response: Response): Promise<Reply> {
  const { status } = response;
  const text = await response.text();
  return text === '' ? { status } : { status, body: text };
}
