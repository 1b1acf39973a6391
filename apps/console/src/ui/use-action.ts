import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.js';
import { readAnew } from '../api/read-anew.js';

export interface ActionOptions<Input, Output> {
  /** What to read anew, by the first segments of its paths. */
  refresh?: readonly (readonly string[])[];
  /** Said when it is done. */
  done?: string | ((output: Output, input: Input) => string);
  onDone?: (output: Output, input: Input) => void;
  /** In the place of saying why it was refused. */
  onError?: (error: Error, input: Input) => void;
}

/** A change that someone asks for: says when it is done, says why when it is refused, and reads anew what it changed. */
export function useAction<Input = void, Output = unknown>(
  work: (input: Input) => Promise<Output>,
  { refresh = [], done, onDone, onError = showFailure }: ActionOptions<Input, Output> = {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: (output, input) => {
      for (const queryKey of refresh) void readAnew(queries, { queryKey });
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
