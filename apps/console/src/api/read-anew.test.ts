import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { readAnew } from './read-anew.js';

const told = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Reads that are answered when the test says so. */
function slowQuery() {
  const answers: ((answer: string) => void)[] = [];
  const queries = new QueryClient();
  const query = { queryKey: ['turns'], queryFn: () => new Promise<string>((resolve) => answers.push(resolve)) };
  const observer = new QueryObserver(queries, query);
  const states: string[] = [];
  // As React is told: once a batch is over.
  const leave = observer.subscribe(
    notifyManager.batchCalls(() => {
      const { status, fetchStatus } = observer.getCurrentResult();
      states.push(`${status} ${fetchStatus}`);
    }),
  );
  return { queries, answers, observer, states, leave };
}

describe('readAnew', () => {
  it('does not take the answer of a first read that began before the change', async () => {
    const { queries, answers, observer, states, leave } = slowQuery();
    const done = readAnew(queries, { queryKey: ['turns'] });
    await told();
    expect(answers).toHaveLength(2);
    answers[0]?.('before');
    answers[1]?.('after');
    await done;
    expect(observer.getCurrentResult().data).toBe('after');
    await told();
    expect(new Set(states)).toEqual(new Set(['pending fetching', 'success idle']));
    leave();
  });

  it('reads once more what was read already, which is shown meanwhile', async () => {
    const { queries, answers, observer, leave } = slowQuery();
    answers[0]?.('before');
    await told();
    const done = readAnew(queries, { queryKey: ['turns'] });
    expect(observer.getCurrentResult().data).toBe('before');
    answers[1]?.('after');
    await done;
    expect(observer.getCurrentResult().data).toBe('after');
    leave();
  });
});
