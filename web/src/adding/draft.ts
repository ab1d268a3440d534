import type { NewItem } from '../uploads/upload-queue.js';

/** Reads the URLs in a typed or pasted text, separated by white space, and the lines that are not URLs. */
export function readUrls(text: string): {
  readonly urls: readonly string[];
  readonly bad: readonly string[];
} {
  const lines = text
    .split(/\n|\s+(?=https?:\/\/)/i)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isUrl = (line: string): boolean => /^https?:\/\//i.test(line) && URL.canParse(line);
  return { urls: [...new Set(lines.filter(isUrl))], bad: lines.filter((line) => !isUrl(line)) };
}

/** Returns the default name for a URL: the last part of its path, or its host. */
export function nameOfUrl(url: string): string {
  const { host, pathname } = new URL(url);
  const last = pathname
    .split('/')
    .filter((part) => part !== '')
    .at(-1);
  if (last === undefined) return host;
  try {
    return toOneLine(decodeURIComponent(last)) || host;
  } catch {
    return last;
  }
}

const toOneLine = (name: string): string => name.replace(/\p{Cc}/gu, ' ').trim();

/** Converts files and addresses to items to add, with names that the service accepts. */
export function toItems(type: string, files: readonly File[], urls: readonly string[]): readonly NewItem[] {
  const cut = (name: string): string => Array.from(name).slice(0, 500).join('');
  return [
    ...files.map((file) => ({
      name: cut(toOneLine(file.name) || 'unnamed'),
      type,
      source: { kind: 'UPLOAD' as const, file },
    })),
    ...urls.map((url) => ({ name: cut(nameOfUrl(url)), type, source: { kind: 'URL' as const, url } })),
  ];
}
