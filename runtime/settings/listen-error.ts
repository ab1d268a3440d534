/**
 * Why a server cannot listen, as one sentence; null for an error that says something else.
 *
 * @param settings Those that name the host and the port; they may be the same one.
 */
export function explainListenError(
  error: unknown,
  settings: { readonly host: string; readonly port: string },
): string | null {
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  const place = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE')
    return `${place} is in use by another program; set ${settings.port} to another port.`;
  if (code === 'EACCES')
    return `This process may not listen on ${place}; set ${settings.port} to 1024 or above.`;
  if (code === 'EADDRNOTAVAIL')
    return `${place} is not an address of this machine; set ${settings.host} to one that is.`;
  return null;
}
