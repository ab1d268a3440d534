/** A problem that prevents the start and that the user can fix; the message explains it in one line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
