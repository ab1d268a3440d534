import assert from 'node:assert/strict';
import { createRegisterVectors } from '../../../plugins/register-vectors/index.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { runPlugin, type PluginOutcome } from '@knowledge-warehouse/plugin/testing';
import { temporaryFolder } from '../../support/temporary.js';
import { byId, type Row } from './vector-stores.js';

export const [alpha, beta] = ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058'];

export const registerVectors = createRegisterVectors({ defaultFolder: temporaryFolder() });

export interface Registration {
  readonly config: object;
  readonly resourceId?: string | undefined;
  readonly run?: number;
  readonly count: number;
  readonly dimensions?: number;
  readonly plugin?: typeof registerVectors;
  readonly signal?: AbortSignal;
}

/** Numbers that a 32-bit float holds exactly. */
export const vectorFor = (run: number, index: number, dimensions: number): number[] =>
  Array.from({ length: dimensions }, (_, axis) => run + index * 4 + axis / 4);

export function register(registration: Registration): Promise<PluginOutcome> {
  const {
    config,
    resourceId = alpha,
    run = 1,
    count,
    dimensions = 3,
    plugin = registerVectors,
    signal,
  } = registration;
  const indices = Array.from({ length: count }, (_, index) => index);
  const chunks = indices.map((index) => {
    return { index, text: `run ${run}, chunk ${index} – ſ😀`, start: index * 10, end: index * 10 + 12 };
  });
  const embeddings = indices.map((index) => vectorFor(run, index, dimensions));
  return runPlugin(plugin, {
    config,
    resourceId,
    run,
    name: `The ${resourceId}'s`,
    inputs: { chunks: { chunks }, embeddings },
    ...(signal !== undefined && { signal }),
  });
}

export function rowsOf(resourceId: string, run: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${resourceId}:${run}:${index}`,
    vector: vectorFor(run, index, 3),
    text: `run ${run}, chunk ${index} – ſ😀`,
    resource_id: resourceId,
    resource_name: `The ${resourceId}'s`,
    resource_type: 'document',
    chunk_index: index,
    start: index * 10,
    end: index * 10 + 12,
    run,
  })).sort(byId);
}

export async function failureOf(promise: Promise<unknown>): Promise<PluginFailure> {
  const error = await promise.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert(error instanceof PluginFailure, String(error));
  return error;
}
