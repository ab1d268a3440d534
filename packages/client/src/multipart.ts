/** Bytes to upload. Each call of `read` starts at the beginning, since a request may have to be sent twice. */
export interface FileSource {
  /** The total number of bytes that `read` yields. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A form with one file in the field `file`. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Blob | FileSource;
  readonly fileName: string;
  /** Receives how many bytes of the file were passed to the connection. Starts at 0 again with every try. */
  readonly onSent?: (bytes: number) => void;
  /** Receives the error of a file that cannot be read. The request then fails with any error. */
  readonly onUnreadable?: (error: unknown) => void;
}

/** A body as bytes, with its media type. */
export interface MultipartBody {
  readonly type: string;
  readonly length: number;
  read(): AsyncGenerator<Uint8Array, void, undefined>;
}

/** Encodes a form as multipart/form-data (RFC 7578). The file is read while it is sent and never fully in memory. */
export function multipartOf({ fields, file, fileName, onSent, onUnreadable }: UploadForm): MultipartBody {
  const boundary = `kw-${randomHex()}`;
  const encoder = new TextEncoder();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const type = (file instanceof Blob && file.type) || 'application/octet-stream';
  const head = encoder.encode(
    `${parts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\n` +
      `content-type: ${type}\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: head.length + file.size + tail.length,
    async *read() {
      onSent?.(0);
      yield head;
      let sent = 0;
      try {
        for await (const chunk of file instanceof Blob ? chunksOf(file) : file.read()) {
          yield chunk;
          sent += chunk.length;
          onSent?.(sent);
        }
      } catch (error) {
        onUnreadable?.(error);
        throw error;
      }
      yield tail;
    },
  };
}

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Escapes a file name as browsers do (WHATWG, multipart/form-data encoding algorithm). */
function quoted(fileName: string): string {
  return fileName.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

/** Returns a random id. `crypto.randomUUID` is missing outside secure contexts. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
