import { isIP } from 'node:net';
import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import type { ApiState } from '../middleware/request-id.js';
import { isOwnOrigin } from './own-origin.js';

/** The settings that these checks use. */
export interface OwnPlaces {
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
}

/**
 * Throws FORBIDDEN unless the request names one of our hosts: the public URL's, one reported by a trusted
 * proxy, `localhost`, or an IP address. With DNS rebinding a web page can point its own name at us, but it
 * cannot use any of these.
 */
export function requireOwnHost(ctx: Context, { publicUrl }: OwnPlaces): void {
  const name = hostName(`http://${ctx.get('host')}`);
  const { origin } = (ctx.state as ApiState).client;
  const own = [hostName(publicUrl), ...(origin === null ? [] : [hostName(origin)]), 'localhost'];
  if (name !== null && (own.includes(name) || isAddress(name))) return;
  throw new ServiceError(
    'FORBIDDEN',
    `The Host of this request does not belong to this service: use the host of ${new URL(publicUrl).origin} (KW_PUBLIC_URL), localhost or an IP address.`,
    { host: ctx.get('host').slice(0, 255) },
  );
}

/**
 * Throws FORBIDDEN for a request from a web page that is neither ours nor from an origin in KW_CORS_ORIGINS.
 * Programs send no Origin.
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
