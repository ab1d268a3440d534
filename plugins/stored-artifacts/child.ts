import type { Task } from '../host/child-task.js';
import { toChunks, toRows, type ReadRequest } from './parse.js';

/** The number of chunks or vectors in one message. */
const together = { chunks: 200, rows: 256 };

/** Sends the chunks of an artifact `chunks`, or the vectors of an artifact `embeddings`, in parts. */
export const task: Task = {
  run(request, source, output) {
    const content: unknown = JSON.parse(source.read(0, source.sizeBytes).toString('utf8'));
    if ((request as ReadRequest).what === 'vectors') {
      for (const rows of toRows(content, together.rows)) output.send(rows);
      return;
    }
    const chunks = toChunks(content);
    for (let from = 0; from < chunks.length; from += together.chunks)
      output.send(chunks.slice(from, from + together.chunks));
  },
};
