import type { Reply } from '../route.js';

/** Converts a response of the SDK to a Reply: JSON, or no body. */
export async function toReply(response: Response): Promise<Reply> {
  const { status } = response;
  const text = await response.text();
  return text === '' ? { status } : { status, body: text };
}
