import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { listAll, type ApiKey, type CreatedApiKey, type NewApiKey } from '@knowledge-warehouse/client';
import { api } from './client.js';
import { useExclusiveMutation } from './exclusive-mutation.js';

const keysKey = ['keys'] as const;

/** Returns all keys, newest first. No event announces changes, so they are reloaded whenever they are shown. */
export function useKeys(): UseQueryResult<readonly ApiKey[]> {
  return useQuery({
    queryKey: keysKey,
    queryFn: ({ signal }) => listAll((query) => api.GET('/keys', { params: { query }, signal })),
    staleTime: 0,
  });
}

/** Creates a key. The response holds the secret, so it is not cached after the caller unmounts. */
export function useCreateKey(): UseMutationResult<CreatedApiKey, Error, NewApiKey> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: async (body: NewApiKey) => (await api.POST('/keys', { body })).value,
    onSuccess: () => client.invalidateQueries({ queryKey: keysKey }),
    gcTime: 0,
  });
}

export function useDeleteKey(): UseMutationResult<unknown, Error, string> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: (id: string) => api.DELETE('/keys/{id}', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: keysKey }),
  });
}
