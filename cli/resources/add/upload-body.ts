import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import { CommandError } from '../../exit.js';
import type { RequestBody } from '../../service/client.js';

const chunkBytes = 256 * 1024;

/**
 * A file with its fields as multipart/form-data (RFC 7578), read from the file as it is sent, however often that is
 * tried: little of it is in memory.
 *
 * @param size Bytes that are sent of the file.
 * @param onSent Told how many bytes of the file were handed to the connection, from 0 again with every try.
 */
export function uploadBody(
  file: FileHandle,
  size: number,
  fields: { readonly name: string; readonly type: string; readonly fileName: string },
  onSent: (bytes: number) => void,
): RequestBody {
  const boundary = `kw-${randomUUID()}`;
  const field = (name: string, value: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${field('name', fields.name)}${field('type', fields.type)}${field('source', '{"kind":"UPLOAD"}')}` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(fields.fileName)}"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: head.length + size + tail.length,
    async *read() {
      onSent(0);
      yield head;
      let sent = 0;
      while (sent < size) {
        // A new one each time: the connection may hold on to the one before.
        const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - sent));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, sent);
        if (bytesRead === 0) throw new CommandError('the file became shorter while it was read');
        yield chunk.subarray(0, bytesRead);
        sent += bytesRead;
        onSent(sent);
      }
      yield tail;
    },
  };
}

/** As browsers write file names (WHATWG, multipart/form-data encoding algorithm). */
function quoted(fileName: string): string {
  return fileName.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}
