import { serveTask } from '../sdk/child-task.js';
import type { ChunkTextConfig } from './config.js';
import { chunkRecords } from './records.js';

/** Sends a ChunkRecord for each chunk of a text in UTF-8. */
await serveTask(async (request, source, send) => {
  const text = source.read(0, source.sizeBytes).toString('utf8');
  for await (const record of chunkRecords(text, request as ChunkTextConfig)) send(record);
});
