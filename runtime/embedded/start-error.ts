/** Something a person can put right keeps the service from starting; the message says what, in one line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
