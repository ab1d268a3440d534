export { OutgoingError, type OutgoingErrorCode } from './errors.js';
export type { AnswerHeaders, OutgoingHeaders } from './exchange.js';
export { createFetch, type OutgoingFetch } from './fetch.js';
export { openUrl, type OpenedUrl, type OpenUrlOptions } from './open-url.js';
export { checkUrl, type OutgoingPolicy } from './policy.js';
export { postJson, type PostResponse, type PostJsonOptions } from './post-json.js';
