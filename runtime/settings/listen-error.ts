/**
 * Explains in one sentence why a server cannot listen; null if the error has another cause.
 *
 * @param settings The settings of the host and the port, which may be the same one.
 */
export function explainListenError(
  error: unknown,
  settings: { readonly host: string; readonly port: string },
): string | null {
  const { code, address, port, hostname } = error as {
    code?: string;
    address?: string;
    port?: number;
    hostname?: string;
  };
  const place = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE')
    return `${place} is in use by another program; set ${settings.port} to another port.`;
  if (code === 'EACCES')
    return `This process may not listen on ${place}; set ${settings.port} to 1024 or above.`;
  if (code === 'EADDRNOTAVAIL')
    return `${place} is not an address of this machine; set ${settings.host} to one that is.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host ${hostname ?? ''} has no address (${code}); set ${settings.host} to an address of this machine.`;
  return null;
}
