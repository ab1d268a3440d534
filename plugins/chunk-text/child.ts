import type { Task } from '../host/child-task.js';
import type { ChunkTextConfig } from './config.js';
import { chunkRecords, type Layout } from './records.js';

export interface ChunkingRequest {
  readonly config: ChunkTextConfig;
  readonly layout: Layout;
}

/** Sends a ChunkRecord for each chunk of a UTF-8 text. */
export const task: Task = {
  async run(request, source, output) {
    const { config, layout } = request as ChunkingRequest;
    const text = source.read(0, source.sizeBytes).toString('utf8');
    for await (const record of chunkRecords(text, config, layout)) output.send(record);
  },
};
