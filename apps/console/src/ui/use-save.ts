import { ApiError } from '../api/client.js';
import { confirm } from './confirm.js';
import { showFailure, useAction, type ActionOptions, type OnFaults } from './use-action.js';

interface Saving<Values> {
  values: Values;
  etag: string | undefined;
  /** Shows the server's faults at the form's inputs. */
  onFaults?: OnFaults | undefined;
}

/**
 * Saves an edited record if it has not changed since it was read. After a conflict, the user chooses between the two versions.
 * @param work saves the record; without `etag` it overwrites any version.
 * @param options `reload`: shows the current record and drops the edits.
 */
export function useSave<Values, Output>(
  work: (values: Values, etag: string | undefined) => Promise<Output>,
  { reload, ...options }: ActionOptions<Saving<Values>, Output> & { reload?: () => Promise<unknown> },
) {
  const save = useAction(({ values, etag }: Saving<Values>) => work(values, etag), {
    ...options,
    onError: (error, { values, onFaults }, toast) =>
      isStale(error) ? askToOverwrite(values) : showFailure(error, toast, onFaults),
  });
  const askToOverwrite = (values: Values) =>
    confirm({
      title: 'This was changed by someone else',
      text: 'Someone saved a newer version after you opened this page. If you overwrite it, their version stays in the history.',
      action: 'Overwrite',
      ...(reload && { instead: { action: 'Discard my changes', work: reload } }),
      work: () => save.mutateAsync({ values, etag: undefined }),
    });
  return save;
}

const isStale = (error: Error) => error instanceof ApiError && error.status === 412;
