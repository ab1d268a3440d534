import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { request, requestValue } from './client.js';
import { loadAll } from './load-all.js';
import type { NewPipeline, Pipeline, Tagged } from './types.js';

export const pipelineKeys = {
  all: ['pipelines'],
  list: ['pipelines', 'list'],
  one: (id: string) => ['pipelines', 'one', id],
} as const;

export function usePipelines(): UseQueryResult<readonly Pipeline[]> {
  return useQuery({
    queryKey: pipelineKeys.list,
    queryFn: ({ signal }) => loadAll<Pipeline>('/pipelines', signal),
  });
}

export function usePipeline(id: string, enabled = true): UseQueryResult<Tagged<Pipeline>> {
  return useQuery({
    queryKey: pipelineKeys.one(id),
    queryFn: ({ signal }) => request<Pipeline>(`/pipelines/${id}`, { signal }),
    enabled,
  });
}

/** What is saved: a new pipeline, or the name and steps of one as it was when its etag was read. */
export type PipelineSave =
  | { readonly id: null; readonly pipeline: NewPipeline; readonly idempotencyKey: string }
  | {
      readonly id: string;
      readonly pipeline: Pick<NewPipeline, 'name' | 'steps'>;
      readonly etag: string | null;
    };

export function useSavePipeline(): UseMutationResult<Tagged<Pipeline>, Error, PipelineSave> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (save: PipelineSave) =>
      save.id === null
        ? request<Pipeline>('/pipelines', {
            method: 'POST',
            body: save.pipeline,
            idempotencyKey: save.idempotencyKey,
          })
        : request<Pipeline>(`/pipelines/${save.id}`, {
            method: 'PUT',
            body: save.pipeline,
            ifMatch: save.etag,
          }),
    onSuccess: async (saved) => {
      client.setQueryData(pipelineKeys.one(saved.value.id), saved);
      await client.invalidateQueries({ queryKey: pipelineKeys.list });
    },
  });
}

export function useDeletePipeline(id: string): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (etag: string | null) =>
      requestValue(`/pipelines/${id}`, { method: 'DELETE', ifMatch: etag }),
    onSuccess: async () => {
      client.removeQueries({ queryKey: pipelineKeys.one(id) });
      await client.invalidateQueries({ queryKey: pipelineKeys.list });
    },
  });
}
