import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { listAll, type NewPipeline, type Pipeline } from '@knowledge-warehouse/client';
import { api, ifMatch, isApiError, orDeleted, type Tagged } from './client.js';
import { useExclusiveMutation } from './exclusive-mutation.js';

export const pipelineKeys = {
  all: ['pipelines'],
  list: ['pipelines', 'list'],
  one: (id: string) => ['pipelines', 'one', id],
} as const;

export function usePipelines(): UseQueryResult<readonly Pipeline[]> {
  return useQuery({
    queryKey: pipelineKeys.list,
    queryFn: ({ signal }) => listAll((query) => api.GET('/pipelines', { params: { query }, signal })),
  });
}

export function usePipeline(id: string): UseQueryResult<Tagged<Pipeline>> {
  return useQuery({
    queryKey: pipelineKeys.one(id),
    queryFn: ({ signal, client }) =>
      orDeleted(
        api.GET('/pipelines/{id}', { params: { path: { id } }, signal }),
        client.getQueryData(pipelineKeys.one(id)),
      ),
  });
}

/** A new pipeline to save, or the name and steps of an existing one with the etag of the version they are based on. */
export type PipelineSave =
  | { readonly id: null; readonly pipeline: NewPipeline; readonly idempotencyKey: string }
  | {
      readonly id: string;
      readonly pipeline: Pick<NewPipeline, 'name' | 'steps'>;
      readonly etag: string | null;
    };

export function useSavePipeline(): UseMutationResult<Tagged<Pipeline>, Error, PipelineSave> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: (save: PipelineSave) =>
      save.id === null
        ? api.POST('/pipelines', {
            params: { header: { 'Idempotency-Key': save.idempotencyKey } },
            body: save.pipeline,
          })
        : api.PUT('/pipelines/{id}', {
            params: { path: { id: save.id }, header: ifMatch(save.etag) },
            body: save.pipeline,
          }),
    onSuccess: async (saved) => {
      client.setQueryData(pipelineKeys.one(saved.value.id), saved);
      await client.invalidateQueries({ queryKey: pipelineKeys.list });
    },
    onError: (error, { id }) => {
      if (id !== null && isApiError(error, 'NOT_FOUND'))
        void client.invalidateQueries({ queryKey: pipelineKeys.one(id) });
    },
  });
}

export function useDeletePipeline(id: string): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: (etag: string | null) =>
      api.DELETE('/pipelines/{id}', { params: { path: { id }, header: ifMatch(etag) } }),
    onSuccess: async () => {
      client.removeQueries({ queryKey: pipelineKeys.one(id) });
      await client.invalidateQueries({ queryKey: pipelineKeys.list });
    },
  });
}
