import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import type { ApiState } from '../middleware/request-id.js';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/;

/**
 * Throws FORBIDDEN unless a request comes from one of our pages, as protection against cross-site request
 * forgery. SameSite alone would allow pages on other ports of the same host.
 */
export function requireOwnOrigin(ctx: Context, publicUrl: string): void {
  if (isOwnOrigin(ctx, publicUrl)) return;
  const { origin: own } = new URL(publicUrl);
  throw new ServiceError(
    'FORBIDDEN',
    `A session works only on the pages of ${own} (KW_PUBLIC_URL): the Origin header must match.`,
    { origin: own },
  );
}

/**
 * Whether a request's Origin is ours: the public URL's, the one reported by a trusted proxy (its operator decides which
 * names it serves) or, for local users and tunnels, the loopback address and port of this request. No other Host is
 * trusted: with DNS rebinding an attacker controls both it and the Origin.
 */
export function isOwnOrigin(ctx: Context, publicUrl: string): boolean {
  const origin = ctx.get('origin');
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin') return false;
  if (origin === new URL(publicUrl).origin) return true;
  if (origin !== '' && origin === (ctx.state as ApiState).client.origin) return true;
  const host = ctx.get('host');
  const [, name, port = '80'] = loopback.exec(host) ?? [];
  return name !== undefined && Number(port) === ctx.socket.localPort && origin === `http://${host}`;
}
