import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { listAll, type ApiKey, type CreatedApiKey, type NewApiKey } from '@knowledge-warehouse/client';
import { api } from './client.js';

const keysKey = ['keys'] as const;

/** Every key, the newest first. No event tells of a change, so it is asked for whenever it is shown. */
export function useKeys(): UseQueryResult<readonly ApiKey[]> {
  return useQuery({
    queryKey: keysKey,
    queryFn: ({ signal }) => listAll((query) => api.GET('/keys', { params: { query }, signal })),
    staleTime: 0,
  });
}

/** The answer holds the secret, so nothing keeps it once the caller is gone. */
export function useCreateKey(): UseMutationResult<CreatedApiKey, Error, NewApiKey> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewApiKey) => (await api.POST('/keys', { body })).value,
    onSuccess: () => client.invalidateQueries({ queryKey: keysKey }),
    gcTime: 0,
  });
}

export function useDeleteKey(): UseMutationResult<unknown, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/keys/{id}', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: keysKey }),
  });
}
