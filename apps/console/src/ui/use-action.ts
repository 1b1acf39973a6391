import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.js';
import { invalidate } from '../api/invalidate.js';

export interface ActionOptions<Input, Output> {
  /** Keys of the queries to invalidate: the first segments of their paths. */
  refresh?: readonly (readonly string[])[];
  /** The message after success. */
  done?: string | ((output: Output, input: Input) => string);
  onDone?: (output: Output, input: Input) => void;
  /** Replaces the message after a failure. */
  onError?: (error: Error, input: Input) => void;
}

/** A change by the user: shows a message after success and after failure, and invalidates the queries that it changed. */
export function useAction<Input = void, Output = unknown>(
  work: (input: Input) => Promise<Output>,
  { refresh = [], done, onDone, onError = showFailure }: ActionOptions<Input, Output> = {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: (output, input) => {
      for (const queryKey of refresh) void invalidate(queries, { queryKey });
      if (done !== undefined) {
        notifications.show({ message: typeof done === 'string' ? done : done(output, input), color: 'mill' });
      }
      onDone?.(output, input);
    },
    onError,
  });
}

export function showFailure(error: Error): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  notifications.show({
    title: error.message,
    message: requestId === null ? undefined : `Request ID ${requestId}`,
    color: 'red',
    autoClose: 10_000,
    role: 'alert',
  });
}
