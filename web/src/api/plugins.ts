import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import {
  listAll,
  type ConfiguredPlugin,
  type ListedPlugin,
  type NewPlugin,
  type Plugin,
  type RegisteredPlugin,
} from '@knowledge-warehouse/client';
import { api, ifMatch, orDeleted, type JsonObject, type Tagged } from './client.js';
import { useExclusiveMutation } from './exclusive-mutation.js';

export const pluginKeys = {
  all: ['plugins'],
  list: ['plugins', 'list'],
  one: (id: string) => ['plugins', 'one', id],
} as const;

export function usePlugins(): UseQueryResult<readonly ListedPlugin[]> {
  return useQuery({
    queryKey: pluginKeys.list,
    queryFn: ({ signal }) => listAll((query) => api.GET('/plugins', { params: { query }, signal })),
  });
}

const healthLookMs = 15_000;

/** Returns one plugin with its health. No event announces changes of its health, so it is polled while it is shown. */
export function usePlugin(id: string): UseQueryResult<Tagged<Plugin>> {
  return useQuery({
    queryKey: pluginKeys.one(id),
    queryFn: ({ signal, client }) =>
      orDeleted(
        api.GET('/plugins/{id}', { params: { path: { id } }, signal }),
        client.getQueryData(pluginKeys.one(id)),
      ),
    refetchInterval: ({ state }) => (state.data?.isDeleted === true ? false : healthLookMs),
  });
}

export interface ConfigSave {
  readonly config: JsonObject;
  readonly etag: string | null;
}

/** Saves a plugin's config. Returns the plugin with its warnings, which the caller shows. */
export function useSaveConfig(id: string): UseMutationResult<Tagged<ConfiguredPlugin>, Error, ConfigSave> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: ({ config, etag }: ConfigSave) =>
      api.PUT('/plugins/{id}/config', {
        params: { path: { id }, header: ifMatch(etag) },
        body: { config },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: pluginKeys.one(id) }),
  });
}

export function useTogglePlugin(id: string): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: (etag: string | null) =>
      api.PUT('/plugins/{id}/toggle', { params: { path: { id }, header: ifMatch(etag) } }),
    onSettled: () => client.invalidateQueries({ queryKey: pluginKeys.all }),
  });
}

export function useDeletePlugin(id: string): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: (etag: string | null) =>
      api.DELETE('/plugins/{id}', { params: { path: { id }, header: ifMatch(etag) } }),
    onSuccess: async () => {
      client.removeQueries({ queryKey: pluginKeys.one(id) });
      await client.invalidateQueries({ queryKey: pluginKeys.list });
    },
  });
}

export function useRegisterPlugin(): UseMutationResult<RegisteredPlugin, Error, NewPlugin> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: async (body: NewPlugin) => (await api.POST('/plugins', { body })).value,
    onSuccess: () => client.invalidateQueries({ queryKey: pluginKeys.list }),
  });
}

export interface PluginUpdate {
  /** The plugin that the change is based on. */
  readonly plugin: Plugin;
  readonly etag: string | null;
  readonly values: Partial<NewPlugin>;
}

/** Changes a plugin's registration. What `values` does not contain stays, also the config and the state. */
export function useUpdatePlugin(id: string): UseMutationResult<unknown, Error, PluginUpdate> {
  const client = useQueryClient();
  return useExclusiveMutation({
    mutationFn: ({ plugin, etag, values }: PluginUpdate) => {
      const { name, description, version, kind, task_queue, activity_type, endpoint } = plugin;
      const { config_schema, produces, reads, heartbeat_seconds, cleanup_activity_type } = plugin;
      return api.PUT('/plugins/{id}', {
        params: { path: { id }, header: ifMatch(etag) },
        body: {
          ...{ name, description, version, kind, task_queue, activity_type, endpoint },
          ...{ config_schema, produces, reads, heartbeat_seconds, cleanup_activity_type },
          ...values,
        },
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: pluginKeys.all }),
  });
}

export function useRenewSecret(
  id: string,
): UseMutationResult<{ readonly signing_secret: string }, Error, void> {
  return useExclusiveMutation({
    mutationFn: async () =>
      (await api.POST('/plugins/{id}/signing-secret', { params: { path: { id } } })).value,
  });
}
