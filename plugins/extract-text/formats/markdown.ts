import { headingsIn, type Heading } from '../../chunk-text/headings.js';
import type { Extractor } from '../document.js';
import { readText } from './plain.js';

/** Keeps Markdown unchanged. Title and author come from its front matter or its first heading. */
export const extractMarkdown: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  out.write(text);
  const frontMatter = /^---\r?\n(.*?)\r?\n---\r?\n/s.exec(text.slice(0, 16_384))?.[1] ?? '';
  return Promise.resolve({
    title: frontMatterValue(frontMatter, 'title') ?? firstHeading(text.slice(0, 65_536))?.title,
    author: frontMatterValue(frontMatter, 'author'),
    language: frontMatterValue(frontMatter, 'lang'),
    createdAt: frontMatterValue(frontMatter, 'date'),
    encoding,
    markdown: true,
  });
};

function firstHeading(text: string): Heading | undefined {
  for (const heading of headingsIn(text)) if (heading.level <= 2) return heading;
  return undefined;
}

/** The kinds of values in YAML, each with an optional comment: over several lines, in double and in single quotes. */
const block = /^[>|][-+\d]*\s*(?:\s#.*)?$/;
const doubleQuoted = /^("(?:[^"\\]|\\.)*")\s*(?:\s#.*)?$/;
const singleQuoted = /^'((?:[^']|'')*)'\s*(?:\s#.*)?$/;

/** Returns a value, read more leniently than YAML: many titles have an unquoted colon. */
function frontMatterValue(frontMatter: string, key: string): string | undefined {
  const found = new RegExp(`^${key}:(.*)((?:\\r?\\n(?:[ \\t].*|$))*)`, 'mi').exec(frontMatter);
  const [value, rest = ''] = [found?.[1]?.trim() ?? '', found?.[2]];
  if (block.test(value)) return rest.trim() || undefined;
  const quoted = doubleQuoted.exec(value)?.[1];
  if (quoted !== undefined) return unescaped(quoted);
  const single = singleQuoted.exec(value)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return value.replace(/(?:^|\s)#.*/, '') || undefined;
}

/** The escapes of JSON are those that occur in YAML. */
function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
