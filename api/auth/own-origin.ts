import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import type { ApiState } from '../middleware/request-id.js';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/;

/**
 * Throws FORBIDDEN unless a request comes from a page of ours: what its browser does by itself, a page elsewhere could
 * make it do (cross-site request forgery). SameSite alone would let in pages on other ports of the same host.
 */
export function requireOwnOrigin(ctx: Context, publicUrl: string): void {
  if (isOwnOrigin(ctx, publicUrl)) return;
  const { origin: own } = new URL(publicUrl);
  throw new ServiceError(
    'FORBIDDEN',
    `A session works on the pages of ${own} (KW_PUBLIC_URL) alone: Origin must say so.`,
    { origin: own },
  );
}

/**
 * Our own origins are that of the public URL, the one that a trusted proxy says it was asked for (who sets one up says
 * which names it answers to) and, for who sits at the machine or has a tunnel to it, the loopback address
 * that this very request was made to, with the port we listen on. No other Host is believed: whoever makes a name of
 * their own point at us (DNS rebinding) chooses it, and the Origin with it.
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
