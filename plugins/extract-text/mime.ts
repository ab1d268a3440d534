/** A MIME message or a part of one (RFC 2045), as text in Latin-1. */
export interface MimeEntity {
  /** By name in lower case. The first of several counts. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Messages contain few levels of parts. */
const deepest = 8;

/** Returns null if a text does not begin with header fields and an empty line. */
export function mimeEntity(text: string): MimeEntity | null {
  const field = /([!-9;-~]+)[ \t]*:([^\n]*\n(?:[ \t][^\n]*\n)*)/y;
  const fields = new Map<string, string>();
  let end = 0;
  for (let found = field.exec(text); found !== null; found = field.exec(text)) {
    const [, name = '', value = ''] = found;
    end = field.lastIndex;
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  const emptyLine = text.startsWith('\r\n', end) ? 2 : text[end] === '\n' ? 1 : 0;
  return emptyLine === 0 ? null : { fields, body: text.slice(end + emptyLine) };
}

/** What a file may have before a message: a byte order mark, empty lines, and the envelope line of mailboxes (RFC 4155). */
const beforeMessage = /^(?:\u00ef\u00bb\u00bf)?\s*(?:>?From [^\n]*\n)?/;

/** Returns the message in a file; null if the file does not begin like one. */
export function messageOf(text: string): MimeEntity | null {
  return mimeEntity(text.replace(beforeMessage, ''));
}

/** Fields of messages. Requests over HTTP may have several parts, but not these fields. */
const messageFields = [
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'received',
  'return-path',
];

/** Whether a text begins like a message whose body is encoded, or has parts that may be. Other messages read as text. */
export function isEncodedMessage(start: string): boolean {
  const fields = messageOf(start)?.fields;
  if (!fields) return false;
  if (/^(?:base64|quoted-printable)$/i.test(fields.get('content-transfer-encoding') ?? '')) return true;
  return (
    /^multipart\//i.test(fields.get('content-type') ?? '') && messageFields.some((name) => fields.has(name))
  );
}

/**
 * Returns the first part of a message with one of these media types, for example the web page among its pictures (MHTML,
 * RFC 2557); null if there is none.
 */
export function partOf(
  message: MimeEntity,
  types: RegExp,
  depth = 1,
): { readonly type: string; readonly bytes: Buffer; readonly charset: string | undefined } | null {
  const type = message.fields.get('content-type') ?? '';
  if (types.test(type)) return { type, bytes: decodedBody(message), charset: parameterOf(type, 'charset') };
  const boundary = /^multipart\//i.test(type) ? parameterOf(type, 'boundary') : undefined;
  if (!boundary || depth === deepest) return null;
  for (const part of `\n${message.body}`.split(`\n--${boundary}`).slice(1)) {
    const entity = mimeEntity(part.replace(/^[ \t]*\r?\n/, ''));
    const found = entity && partOf(entity, types, depth + 1);
    if (found) return found;
  }
  return null;
}

function parameterOf(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(value);
  return found?.[1] ?? found?.[2];
}

function decodedBody({ fields, body }: MimeEntity): Buffer {
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const text = body
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}
