import { ApiError } from '../api/client.js';
import { confirm } from './confirm.js';
import { showFailure, useAction, type ActionOptions } from './use-action.js';

/**
 * Saves a record as it was edited, if it is still as it was read. When it is not, its editor decides.
 *
 * @param work saves; without `etag` whatever is there.
 * @param options `reload`: shows the record as it is now, without what was edited.
 */
export function useSave<Values, Output>(
  work: (values: Values, etag: string | undefined) => Promise<Output>,
  {
    reload,
    ...options
  }: ActionOptions<{ values: Values; etag: string | undefined }, Output> & { reload?: () => Promise<unknown> },
) {
  const save = useAction(({ values, etag }: { values: Values; etag: string | undefined }) => work(values, etag), {
    ...options,
    onError: (error, { values }) => (isStale(error) ? askToOverwrite(values) : showFailure(error)),
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
