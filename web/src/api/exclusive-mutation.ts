import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Like useMutation, but `mutate` does nothing while an earlier call is being sent. A button is disabled only when the
 * page is drawn again. Until then, a second click would send the request twice, and lose the first response.
 */
export function useExclusiveMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const mutation = useMutation(options);
  const isSending = useRef(false);
  const mutate: typeof mutation.mutate = (...call) => {
    if (isSending.current || mutation.isPending) return;
    isSending.current = true;
    const done = (): void => void (isSending.current = false);
    mutation.mutateAsync(...call).then(done, done);
  };
  return { ...mutation, mutate };
}
