import helmet, { type HelmetOptions } from 'helmet';
import type { Middleware } from 'koa';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Config } from '../../runtime/settings/config.js';

/**
 * Headers of every answer: nothing is guessed, run, framed, kept or referred to, and no page of another origin embeds
 * it. Pages loosen the policy for themselves.
 *
 * @param config `publicUrl`: where browsers find us; over https they are told to stay there.
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

/** What helmet sets: with these options the same for every request, so that it is asked once. */
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
