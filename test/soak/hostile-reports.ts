/** What an HTTP worker reports that Core is to survive. */
export interface HostileReport {
  readonly what: string;
  /** The report as it is sent. `artifact`: the type that the step is to leave. */
  readonly text: (artifact: string) => string;
  /** Core refuses it: the worker then sends what it should have. */
  readonly isRefused: boolean;
  /** How the resource ends: COMPLETED, or the code of the failure. */
  readonly end: string;
  /** The content of the artifact as it is served; null: what a healthy resource has. */
  readonly content: unknown;
}

const half = '\ud800';
const texts: Readonly<Record<string, string>> = {
  'half of a character': half,
  'the other half, and more': '\udc00x',
  'two first halves': `${half}${half}`,
  'a character where a limit may cut': `${'x'.repeat(1_999)}😀`,
  'thousands of halves': `x${half}`.repeat(4_000),
  NUL: 'a\0b',
};
const longestCode = 100;

const failure = (what: string, code: string, more: object | string): HostileReport => ({
  what,
  text: () => {
    const error = typeof more === 'string' ? more : JSON.stringify(more).slice(1, -1);
    const separator = error === '' ? '' : ',';
    return `{"status":"FAILURE","error":{"code":${JSON.stringify(code)},"retryable":false${separator}${error}}}`;
  },
  isRefused: false,
  end: code.toWellFormed(),
  content: null,
});

const success = (what: string, contentType: string, content: string, metadata = '{}'): HostileReport => ({
  what,
  text: (artifact) =>
    `{"status":"SUCCESS","artifact":{"type":"${artifact}","content_type":"${contentType}","content":${content},"metadata":${metadata}}}`,
  isRefused: false,
  end: 'COMPLETED',
  content: contentType === 'text' ? (JSON.parse(content) as string).toWellFormed() : JSON.parse(content),
});

const refused = (what: string, text: string): HostileReport => ({
  what,
  text: () => text,
  isRefused: true,
  end: 'COMPLETED',
  content: null,
});

const json = {
  keys: '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":null}',
  strings: '{"a":"\\ud800","\\udfff":"\\udc00\\ud800","b":"\\u0000","\\u0000":1}',
};
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const tooLong = 'x'.repeat(20_000);

export const hostileReports: readonly HostileReport[] = [
  ...Object.entries(texts).flatMap(([name, text]) => [
    failure(`${name} in a message`, 'ODD', { message: text }),
    failure(`${name} in a code`, text.slice(0, longestCode), { message: 'odd' }),
    failure(`${name} in details`, 'ODD', { message: 'odd', details: { [text]: [text] } }),
    success(`${name} as a text`, 'text', JSON.stringify(`the text ${text}`)),
  ]),
  failure('__proto__ in details', 'ODD', `"details":${json.keys}`),
  success('strange keys as content and metadata', 'json', json.keys, json.keys),
  success('strange strings as content and metadata', 'json', json.strings, json.strings),
  refused('a message that is too long', JSON.stringify({ status: 'FAILURE', error: { message: tooLong } })),
  refused('details that are nested too deeply', `{"status":"FAILURE","error":{"details":{"a":${deep}}}}`),
  refused('a report with __proto__', '{"status":"FAILURE","__proto__":{"status":"SUCCESS"}}'),
  refused('half a report', '{"status":"SUCC'),
  refused('a report that is a list', deep),
  refused(
    'a text of 2 MiB',
    JSON.stringify({
      status: 'SUCCESS',
      artifact: { type: 'copy', content_type: 'text', content: 'x'.repeat(2 ** 21) },
    }),
  ),
];
