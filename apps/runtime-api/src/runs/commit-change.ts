import type { Tx } from '@millwright/db';
import type { Reply } from '@millwright/http';

/** Commits a change with its answer. After the commit, starts the action that follows the change. @returns the answer */
export async function commitChange(
  commit: (work: (tx: Tx) => Promise<Reply>) => Promise<Reply>,
  change: (tx: Tx) => Promise<{ body: object; after: () => void }>,
): Promise<Reply> {
  let after = () => {};
  const reply = await commit(async (tx) => {
    const done = await change(tx);
    ({ after } = done);
    return { body: done.body };
  });
  after();
  return reply;
}
