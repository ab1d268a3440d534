interface Open {
  readonly name: string;
  /** Characters that the element's properties name, such as `begChr`. */
  readonly marks: Record<string, string>;
  readonly children: { readonly name: string; readonly text: string }[];
  text: string;
}

/**
 * Stands around words and fractions, and after scripts and roots. It becomes a space where words or numbers meet: 2 1/2, x^2 y. XML cannot
 * contain this character.
 */
export const gap = '\0';

/** Properties that name a character. */
const marks = new Set(['chr', 'begChr', 'sepChr', 'endChr']);

/**
 * Writes a formula in one line, close to Unicode's linear format (ECMA-376 part 1, 22.1; Unicode Technical Note 28):
 * `(a+b)/2`, `x^2`, `∑_(i=1)^n i`.
 */
export class LinearMath {
  readonly #open: Open[] = [begin('oMath')];

  open(name: string, value: string | undefined): void {
    if (marks.has(name) && value !== undefined) this.#last.marks[name] = value;
    this.#open.push(begin(name));
  }

  text(text: string): void {
    if (this.#last.name === 't') this.#last.text += text;
  }

  close(): void {
    const closed = this.#open.pop() as Open;
    if (closed.name.endsWith('Pr')) Object.assign(this.#last.marks, closed.marks);
    else this.#last.children.push({ name: closed.name, text: write(closed) });
  }

  end(): string {
    return withoutGaps(write(this.#last));
  }

  get #last(): Open {
    return this.#open.at(-1) as Open;
  }
}

function begin(name: string): Open {
  return { name, marks: {}, children: [], text: '' };
}

function write({ name, marks: given, children, text }: Open): string {
  const of = (child: string): string => children.find((each) => each.name === child)?.text ?? '';
  const texts = children.map((child) => child.text);
  const sub = script('_', of(name === 'limLow' ? 'lim' : 'sub'));
  const sup = script('^', of(name === 'limUpp' ? 'lim' : 'sup'));
  switch (name) {
    case 't':
      return text;
    case 'f':
      return `${gap}${group(of('num'))}/${group(of('den'))}${gap}`;
    case 'sPre':
      return `${sub}${sup}${of('e')}`;
    case 'sSub':
    case 'sSup':
    case 'sSubSup':
      return `${group(of('e'))}${sub}${sup}`;
    case 'limLow':
    case 'limUpp':
      return `${of('e')}${sub}${sup}`;
    case 'rad':
      return of('deg') === '' ? `√${group(of('e'))}${gap}` : `√(${of('deg')}&${of('e')})`;
    case 'nary':
      return `${given['chr'] ?? '∫'}${sub}${sup} ${of('e')}`;
    case 'func':
      return `${of('fName')} ${of('e')}`;
    case 'd':
      return `${given['begChr'] ?? '('}${joined(texts, given['sepChr'] ?? '|')}${given['endChr'] ?? ')'}`;
    case 'mr':
      return joined(texts, ', ');
    case 'm':
    case 'eqArr':
      return joined(texts, '; ');
    default:
      return joined(texts);
  }
}

/** Concatenates without copying, so that deep nesting takes linear time. */
export function joined(texts: readonly string[], separator = ''): string {
  let all = '';
  for (const [index, text] of texts.entries()) all += index === 0 ? text : separator + text;
  return all;
}

export function script(mark: string, text: string): string {
  return text === '' ? '' : mark + group(text) + gap;
}

/** Writes the gaps. Invisible signs of products and sums would hide terms from searches, but keep numbers apart. */
export function withoutGaps(formula: string): string {
  return formula
    .replace(/(?<=\p{N})[\0\u2062\u2064]+(?=\p{N})/gu, ' ')
    .replace(/[\u2062\u2064]/g, '')
    .replace(/(?<=[\p{L}\p{N}])\0+(?=[\p{L}\p{N}])/gu, ' ')
    .replaceAll(gap, '');
}

/** Puts anything longer than one character or one number in brackets. */
export function group(text: string): string {
  return text.length <= 20 && /^(.\p{M}*|[\p{N}.,]+|)$/su.test(text) ? text : `(${text})`;
}
