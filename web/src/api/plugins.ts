import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { request, requestValue } from './client.js';
import { loadAll } from './load-all.js';
import type {
  ConfiguredPlugin,
  JsonObject,
  ListedPlugin,
  NewPlugin,
  Plugin,
  RegisteredPlugin,
  Tagged,
} from './types.js';

export const pluginKeys = {
  all: ['plugins'],
  list: ['plugins', 'list'],
  one: (id: string) => ['plugins', 'one', id],
} as const;

export function usePlugins(): UseQueryResult<readonly ListedPlugin[]> {
  return useQuery({
    queryKey: pluginKeys.list,
    queryFn: ({ signal }) => loadAll<ListedPlugin>('/plugins', signal),
  });
}

const healthLookMs = 15_000;

/** One plugin with its health, which no event tells and which is therefore looked at now and then while it is shown. */
export function usePlugin(id: string): UseQueryResult<Tagged<Plugin>> {
  return useQuery({
    queryKey: pluginKeys.one(id),
    queryFn: ({ signal }) => request<Plugin>(`/plugins/${id}`, { signal }),
    refetchInterval: healthLookMs,
  });
}

export interface ConfigSave {
  readonly config: JsonObject;
  readonly etag: string | null;
}

/** Answers the plugin with its warnings; the caller shows them. */
export function useSaveConfig(id: string): UseMutationResult<Tagged<ConfiguredPlugin>, Error, ConfigSave> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ config, etag }: ConfigSave) =>
      request<ConfiguredPlugin>(`/plugins/${id}/config`, { method: 'PUT', body: { config }, ifMatch: etag }),
    onSuccess: () => client.invalidateQueries({ queryKey: pluginKeys.one(id) }),
  });
}

export function useTogglePlugin(id: string): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (etag: string | null) =>
      requestValue(`/plugins/${id}/toggle`, { method: 'PUT', ifMatch: etag }),
    onSettled: () => client.invalidateQueries({ queryKey: pluginKeys.all }),
  });
}

export function useDeletePlugin(id: string): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (etag: string | null) => requestValue(`/plugins/${id}`, { method: 'DELETE', ifMatch: etag }),
    onSuccess: async () => {
      client.removeQueries({ queryKey: pluginKeys.one(id) });
      await client.invalidateQueries({ queryKey: pluginKeys.list });
    },
  });
}

export function useRegisterPlugin(): UseMutationResult<RegisteredPlugin, Error, NewPlugin> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewPlugin) => requestValue<RegisteredPlugin>('/plugins', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: pluginKeys.list }),
  });
}

export function useRenewSecret(
  id: string,
): UseMutationResult<{ readonly signing_secret: string }, Error, void> {
  return useMutation({
    mutationFn: () => requestValue(`/plugins/${id}/signing-secret`, { method: 'POST' }),
  });
}
