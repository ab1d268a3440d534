export const boundary = 'the-boundary';
/** The headers of a multipart form. */
export const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };

/** A part of a multipart form. */
export interface Part {
  readonly name?: string;
  readonly fileName?: string;
  readonly type?: string;
  readonly content: string | Buffer;
}

/** Returns the bytes of a part, with the boundary before it. */
export function encode({ name, fileName, type, content }: Part): Buffer {
  const disposition = [
    'form-data',
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(fileName === undefined ? [] : [`filename="${fileName}"`]),
  ];
  const head = [`--${boundary}`, `Content-Disposition: ${disposition.join('; ')}`];
  if (type !== undefined) head.push(`Content-Type: ${type}`);
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
}

/** Returns the body of a form with these parts. */
export function form(...parts: Part[]): Buffer {
  return Buffer.concat([...parts.map(encode), Buffer.from(`--${boundary}--\r\n`)]);
}
