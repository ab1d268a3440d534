import type { Task } from '../host/child-task.js';
import type { ChunkTextConfig } from './config.js';
import { chunkRecords } from './records.js';

/** Sends a ChunkRecord for each chunk of a text in UTF-8. */
export const task: Task = {
  async run(request, source, output) {
    const text = source.read(0, source.sizeBytes).toString('utf8');
    for await (const record of chunkRecords(text, request as ChunkTextConfig)) output.send(record);
  },
};
