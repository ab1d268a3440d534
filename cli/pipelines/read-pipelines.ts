import { isObject } from '@knowledge-warehouse/plugin/protocol';

import { readDocuments, type SourceDocument } from '../documents.js';
import { CommandError } from '../exit.js';
import type { Pipeline, PipelineStep } from '@knowledge-warehouse/client';

/** The API's defaults for a step. */
export const stepDefaults = { max_attempts: 3, backoff_seconds: 5, timeout_seconds: 300 } as const;

/** A pipeline described in a file, with defaults for what the file omits. */
export interface PipelineInFile {
  readonly name: string;
  readonly trigger_type: string;
  readonly steps: readonly PipelineStep[];
  /** The location of a part in its file. */
  readonly at: (pointer: string) => string;
}

const members = new Set(['name', 'trigger_type', 'steps']);
const stepMembers = new Set(['plugin_id', ...Object.keys(stepDefaults)]);

/**
 * Reads the pipelines that files describe. The API checks limits. This checks that all parts exist and have
 * the right type, so that nothing is applied from files with mistakes.
 *
 * @throws CommandError with one line per mistake: file, line, location, message
 */
export async function readPipelines(paths: readonly string[]): Promise<readonly PipelineInFile[]> {
  const wanted: PipelineInFile[] = [];
  const problems: string[] = [];
  const places = new Map<string, string>();
  for (const path of paths) {
    for (const document of await readDocuments(path)) {
      const found = [...mistakes(document)].map(
        ([pointer, message]) => `${document.at(pointer)}: ${message}`,
      );
      problems.push(...found);
      if (found.length > 0) continue;
      const pipeline = toPipeline(document);
      const other = places.get(pipeline.trigger_type);
      if (other !== undefined)
        problems.push(
          `${pipeline.at('/trigger_type')}: ${other} also describes a pipeline for ${pipeline.trigger_type}`,
        );
      places.set(pipeline.trigger_type, pipeline.at(''));
      wanted.push(pipeline);
    }
  }
  if (problems.length > 0) throw new CommandError([...problems, 'Nothing was applied.'].join('\n'));
  return wanted;
}

function* mistakes({ value }: SourceDocument): Generator<readonly [pointer: string, message: string]> {
  if (!isObject(value)) {
    yield ['', 'must be a pipeline: name, trigger_type and steps'];
    return;
  }
  for (const key of Object.keys(value))
    if (!members.has(key)) yield [`/${key}`, 'is not a field of a pipeline'];
  for (const key of ['name', 'trigger_type'])
    if (typeof value[key] !== 'string')
      yield [`/${key}`, value[key] === undefined ? 'is missing' : 'must be a string'];
  const { steps } = value;
  if (!Array.isArray(steps)) {
    yield ['/steps', steps === undefined ? 'is missing' : 'must be a list of steps'];
    return;
  }
  for (const [index, step] of steps.entries()) yield* stepMistakes(`/steps/${index}`, step);
}

function* stepMistakes(pointer: string, step: unknown): Generator<readonly [string, string]> {
  if (!isObject(step)) {
    yield [pointer, 'must be a step: an object with plugin_id and optional limits'];
    return;
  }
  if (typeof step['plugin_id'] !== 'string') yield [`${pointer}/plugin_id`, 'must be the id of a plugin'];
  for (const [key, value] of Object.entries(step)) {
    if (!stepMembers.has(key)) yield [`${pointer}/${key}`, 'is not a field of a step'];
    else if (key !== 'plugin_id' && typeof value !== 'number')
      yield [`${pointer}/${key}`, 'must be a number'];
  }
}

function toPipeline({ value, at }: SourceDocument): PipelineInFile {
  const { name, trigger_type, steps } = value as Pick<Pipeline, 'name' | 'trigger_type'> & {
    readonly steps: readonly (Partial<PipelineStep> & { readonly plugin_id: string })[];
  };
  return {
    // The API trims spaces. Without trimming here, the file would always differ from the stored pipeline.
    name: name.trim(),
    trigger_type: trigger_type.trim(),
    steps: steps.map(({ plugin_id, ...bounds }) => ({ plugin_id, ...stepDefaults, ...bounds })),
    at,
  };
}
