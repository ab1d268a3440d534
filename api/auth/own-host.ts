import { isIP } from 'node:net';
import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import type { ApiState } from '../middleware/request-id.js';
import { isOwnOrigin } from './own-origin.js';

/** What these checks read of the settings. */
export interface OwnPlaces {
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
}

/**
 * Throws FORBIDDEN unless a request names a host that is ours: that of the public URL, one that a trusted proxy says it
 * was asked for, `localhost`, or an address. A web page can make a name of its own point at us (DNS rebinding), but it
 * can choose none of these.
 */
export function requireOwnHost(ctx: Context, { publicUrl }: OwnPlaces): void {
  const name = hostName(`http://${ctx.get('host')}`);
  const { origin } = (ctx.state as ApiState).client;
  const own = [hostName(publicUrl), ...(origin === null ? [] : [hostName(origin)]), 'localhost'];
  if (name !== null && (own.includes(name) || isAddress(name))) return;
  throw new ServiceError(
    'FORBIDDEN',
    `The Host of this request is not one of this service: use the host of ${new URL(publicUrl).origin} (KW_PUBLIC_URL), localhost or an IP address.`,
    { host: ctx.get('host').slice(0, 255) },
  );
}

/**
 * Throws FORBIDDEN when a request comes from a web page that is neither ours nor of an origin in KW_CORS_ORIGINS. Programs
 * send no Origin.
 */
export function requireKnownOrigin(ctx: Context, { publicUrl, corsOrigins }: OwnPlaces): void {
  const origin = ctx.get('origin');
  if (origin === '' || corsOrigins.includes('*') || corsOrigins.includes(origin)) return;
  if (isOwnOrigin(ctx, publicUrl)) return;
  throw new ServiceError(
    'FORBIDDEN',
    'Pages of this origin may not call this service: an operator can allow it with KW_CORS_ORIGINS.',
    { origin: origin.slice(0, 255) },
  );
}

function hostName(url: string): string | null {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return null;
  }
}

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
