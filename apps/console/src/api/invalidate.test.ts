import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { invalidate } from './invalidate.js';

const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Makes an observed query. Each of its fetches stays pending until the test calls the entry of `answers` for this fetch. */
function slowQuery() {
  const answers: ((answer: string) => void)[] = [];
  const queries = new QueryClient();
  const query = { queryKey: ['turns'], queryFn: () => new Promise<string>((resolve) => answers.push(resolve)) };
  const observer = new QueryObserver(queries, query);
  const states: string[] = [];
  // Subscribes as React does: the listener is called once after a batch of changes.
  const leave = observer.subscribe(
    notifyManager.batchCalls(() => {
      const { status, fetchStatus } = observer.getCurrentResult();
      states.push(`${status} ${fetchStatus}`);
    }),
  );
  return { queries, answers, observer, states, leave };
}

describe('invalidate', () => {
  it('ignores the answer of a first fetch that started before the change', async () => {
    const { queries, answers, observer, states, leave } = slowQuery();
    const done = invalidate(queries, { queryKey: ['turns'] });
    await settled();
    expect(answers).toHaveLength(2);
    answers[0]?.('before');
    answers[1]?.('after');
    await done;
    expect(observer.getCurrentResult().data).toBe('after');
    await settled();
    expect(new Set(states)).toEqual(new Set(['pending fetching', 'success idle']));
    leave();
  });

  it('fetches loaded data again, and keeps the old data until the new answer arrives', async () => {
    const { queries, answers, observer, leave } = slowQuery();
    answers[0]?.('before');
    await settled();
    const done = invalidate(queries, { queryKey: ['turns'] });
    expect(observer.getCurrentResult().data).toBe('before');
    answers[1]?.('after');
    await done;
    expect(observer.getCurrentResult().data).toBe('after');
    leave();
  });
});
