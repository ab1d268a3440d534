import helmet, { type HelmetOptions } from 'helmet';
import type { Middleware } from 'koa';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Config } from '../../runtime/settings/config.js';

/**
 * Sets strict headers on every response: no content sniffing, scripts, framing, caching or referrers, and no embedding
 * by other origins. Pages loosen the policy for themselves.
 *
 * @param config `publicUrl`: where browsers find us; over https it turns on HSTS.
 */
export function securityHeaders({
  publicUrl,
  hstsIncludeSubdomains: includeSubDomains,
}: Pick<Config, 'publicUrl' | 'hstsIncludeSubdomains'>): Middleware {
  const headers = {
    ...headersOf({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains },
      xFrameOptions: { action: 'deny' },
    }),
    'Cache-Control': 'no-store',
  };
  return async (ctx, next) => {
    ctx.set(headers);
    await next();
  };
}

/** Returns helmet's headers. They never change with these options, so helmet runs once. */
function headersOf(options: HelmetOptions): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers[name] = String(value);
    return response;
  };
  helmet(options)(request, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}
