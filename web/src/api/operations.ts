import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { FailureGroup, NewOperation, Operation, OperationPreview } from '@knowledge-warehouse/client';
import { api } from './client.js';

/** The target of an operation. */
export type OperationTarget = Pick<NewOperation, 'ids' | 'filter'>;

export const failuresKey = ['failures'] as const;

export const operationKeys = {
  list: ['operations', 'list'],
  one: (id: string) => ['operations', 'one', id],
  preview: (body: NewOperation) => ['operations', 'preview', body],
} as const;

/** Returns how many resources an operation would affect, and how many it would skip. */
export function useOperationPreview(body: NewOperation): UseQueryResult<OperationPreview> {
  return useQuery({
    queryKey: operationKeys.preview(body),
    queryFn: async ({ signal }) => {
      const { value } = await api.POST('/operations', { body: { ...body, dry_run: true }, signal });
      return value as OperationPreview;
    },
    gcTime: 0,
  });
}

export async function startOperation(body: NewOperation, idempotencyKey: string): Promise<Operation> {
  const params = { header: { 'Idempotency-Key': idempotencyKey } };
  return (await api.POST('/operations', { params, body })).value as Operation;
}

export async function cancelOperation(id: string): Promise<void> {
  await api.POST('/operations/{id}/cancel', { params: { path: { id } } });
}

/** Returns an operation. Events keep it up to date. */
export function useOperation(id: string): UseQueryResult<Operation> {
  return useQuery({
    queryKey: operationKeys.one(id),
    queryFn: async ({ signal }) =>
      (await api.GET('/operations/{id}', { params: { path: { id } }, signal })).value,
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? lookMs : false),
  });
}

/** In case that events do not arrive. */
const lookMs = 5_000;

/** Returns the newest operations of all users. */
export function useLatestOperations(): UseQueryResult<readonly Operation[]> {
  return useQuery({
    queryKey: operationKeys.list,
    queryFn: async ({ signal }) =>
      (await api.GET('/operations', { params: { query: { limit: 20 } }, signal })).value.items,
  });
}

/** Returns the resources that are FAILED now, by cause, with the largest group first. */
export function useFailures(): UseQueryResult<readonly FailureGroup[]> {
  return useQuery({
    queryKey: failuresKey,
    queryFn: async ({ signal }) => (await api.GET('/failures', { signal })).value.items,
    refetchInterval: 60_000,
  });
}
