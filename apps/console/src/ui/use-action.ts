import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { ApiError } from '../api/client.js';
import { invalidate } from '../api/invalidate.js';
import { faultsByInput } from './field-faults.js';

export type OnFaults = (faults: Readonly<Record<string, string>>) => boolean;

export interface ActionOptions<Input, Output> {
  /** Keys of the queries to invalidate. A key has the first segments of a path, and covers all queries below that path. */
  refresh?: readonly (readonly string[])[];
  /** The message after success, or a function that makes it. */
  done?: string | ((output: Output, input: Input) => string);
  onDone?: (output: Output, input: Input) => void;
  /** Handles a failure; default: `showFailure`. The function must pass `toast` to `showFailure`, so that the next try removes the message. */
  onError?: (error: Error, input: Input, toast: string) => void;
}

/** Runs a change by the user. Shows a message after success and after failure, and invalidates the queries of the changed records. */
export function useAction<Input = void, Output = unknown>(
  work: (input: Input) => Promise<Output>,
  {
    refresh = [],
    done,
    onDone,
    onError = (error, _input, toast) => showFailure(error, toast),
  }: ActionOptions<Input, Output> = {},
) {
  const queries = useQueryClient();
  const toast = useId();
  return useMutation({
    mutationFn: work,
    onMutate: () => {
      notifications.hide(toast);
    },
    onSuccess: (output, input) => {
      for (const queryKey of refresh) void invalidate(queries, { queryKey });
      if (done !== undefined) {
        notifications.show({ message: typeof done === 'string' ? done : done(output, input), color: 'mill' });
      }
      onDone?.(output, input);
    },
    onError: (error, input) => onError(error, input, toast),
  });
}

/**
 * Shows a failure as a message. `id` identifies the action: each action shows only its last message. `onFaults` receives the faults by
 * the first part of their fields, and shows them at the inputs of a form. It returns whether the form has an input for each fault.
 */
export function showFailure(error: Error, id?: string, onFaults?: OnFaults): void {
  const faults = faultsByInput(error);
  if (onFaults && Object.keys(faults).length > 0 && onFaults(faults)) return;
  const requestId = error instanceof ApiError ? error.requestId : null;
  notifications.show({
    ...(id !== undefined && { id }),
    title: error.message,
    message: requestId === null ? undefined : `Request ID ${requestId}`,
    color: 'red',
    autoClose: 10_000,
    role: 'alert',
  });
}
