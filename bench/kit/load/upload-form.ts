const boundary = 'a-boundary-of-the-benches';

export const uploadType = `multipart/form-data; boundary=${boundary}`;

/** Returns what surrounds the bytes of a file in the body that registers it. */
export function uploadForm(
  resource: { readonly name: string; readonly type: string },
  file: { readonly fileName: string; readonly mediaType?: string },
): { readonly head: string; readonly tail: string } {
  const part = (headers: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`;
  const fields = Object.entries({ ...resource, source: '{"kind":"UPLOAD"}' }).map(
    ([name, value]) => `${part(`name="${name}"`)}${value}\r\n`,
  );
  const mediaType = file.mediaType === undefined ? '' : `\r\ncontent-type: ${file.mediaType}`;
  return {
    head: `${fields.join('')}${part(`name="file"; filename="${file.fileName}"${mediaType}`)}`,
    tail: `\r\n--${boundary}--\r\n`,
  };
}
