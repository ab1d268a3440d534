import { firstCodePoints } from '../../core/documents/code-points.js';
import { headingLimits } from '../../core/documents/chunks.js';

/** Maximum length of a heading that is parsed, including marks. */
const longestMarkdown = 2_000;

/**
 * Markup that is replaced by what a reader sees: escaped characters, code, comments, addresses, tags, entities, the
 * brackets of links and images, and emphasis. Every class ends where the next could begin.
 */
const marks = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/,
    /(?<!`)(?<fence>`+)(?!`)(?<code>[^`]*)\k<fence>(?!`)|`+/,
    /<!--(?:[^<-]|<(?!!--)|-(?!->))*-->/,
    /<(?<address>(?:[a-z][a-z0-9+.-]+:\/\/|mailto:)[^\s<>]*)>/,
    /<\/?[a-z][a-z0-9-]*(?:[\s/][^<>]*)?>/,
    /(?<entity>&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});)/,
    /(?<open>!?\[)|(?<close>\])/,
    /(?<=\S)[*~]{1,3}|[*~]{1,3}(?=\S)|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);
/**
 * The end of a link or image with its target, which may contain one level of parentheses. `[a][b]` stays: it may be a link
 * or two citations, and the definitions of links are not known here.
 */
const linkEnd = /\]\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)/y;
/** The named entities that occur in headings; others stay as they are. */
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
  ...{ copy: '©', reg: '®', trade: '™', ndash: '–', mdash: '—', hellip: '…' },
};
/** A tag that, as the whole title, names an element or a type; not `<br>` and the like. */
const onlyName = /^<(?!(?:br|hr|img|wbr)[\s/>])[a-z][a-z0-9-]*(?:\s*\/)?>$/i;

/** The text of a heading in one line as a reader sees it, cut to the maximum length in a path. */
export function plainTitle(markdown: string): string {
  const raw = markdown.slice(0, longestMarkdown);
  const plain = withoutMarks(raw).trim();
  const text = plain === '' && onlyName.test(raw.trim()) ? raw : plain;
  const line = text.replace(/\s+/g, ' ').trim();
  return firstCodePoints(line, headingLimits.mostCodePoints).toWellFormed();
}

function withoutMarks(markdown: string): string {
  const shown: string[] = [];
  const opened: number[] = [];
  for (let at = 0; at < markdown.length;) {
    marks.lastIndex = at;
    const found = marks.exec(markdown);
    shown.push(markdown.slice(at, found?.index));
    if (found === null) break;
    at = found.index + found[0].length;
    const { escaped, code, address, entity, open, close } = found.groups ?? {};
    if (open !== undefined) opened.push(shown.length);
    if (close === undefined) {
      shown.push(open ?? escaped ?? code ?? address ?? (entity === undefined ? '' : characterOf(entity)));
      continue;
    }
    const opening = opened.pop();
    linkEnd.lastIndex = found.index;
    if (opening === undefined || !linkEnd.test(markdown)) shown.push(close);
    else {
      shown[opening] = '';
      at = linkEnd.lastIndex;
    }
  }
  return shown.join('');
}

function characterOf(entity: string): string {
  const name = entity.slice(1, -1);
  if (!name.startsWith('#')) return named[name] ?? entity;
  const number = Number(name.replace('#', '').replace(/^x/i, '0x'));
  return number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : entity;
}
