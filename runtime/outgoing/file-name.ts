import { headerOf, type AnswerHeaders } from './exchange.js';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last segment of a path, without control characters and within the length limit of file systems. */
function lastSegment(path: string): string | undefined {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return (
    name
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, 255) || undefined
  );
}

/**
 * The file name of a response: from Content-Disposition (RFC 6266; `filename*` takes precedence over `filename`), else
 * the last segment of the URL's path; undefined if there is neither.
 */
export function fileNameOf(headers: AnswerHeaders, url: URL): string | undefined {
  const disposition = headerOf(headers, 'content-disposition') ?? '';
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const named = extended === undefined ? (quoted?.replace(/\\(.)/g, '$1') ?? bare) : decoded(extended);
  return (named === undefined ? undefined : lastSegment(named)) ?? lastSegment(decoded(url.pathname));
}
