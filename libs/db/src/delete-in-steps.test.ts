import { deleteInSteps, Prisma, type Step } from './index.js';

const statement = (limit: number) => Prisma.sql`DELETE FROM x LIMIT ${limit}`;
const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

/** Makes a `Step` whose calls have the given outcomes, in order. Returns it with a list of the limits of the statements. */
function stepsOf(outcomes: (number | Error)[]) {
  const limits: unknown[] = [];
  const step = ((work) =>
    work({
      $executeRaw: (sql: Prisma.Sql) => {
        limits.push(sql.values[0]);
        const outcome = outcomes[limits.length - 1] ?? 0;
        return typeof outcome === 'number' ? Promise.resolve(outcome) : Promise.reject(outcome);
      },
    } as never)) as Step;
  return { step, limits };
}

describe('deleteInSteps', () => {
  it.each([
    ['the server ends the statement', timeout],
    ['the statement meets a deadlock', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
    ['this process stops waiting for the answer', new Error('outer', { cause: new Error('Query read timeout') })],
  ])('repeats a batch with a tenth of its rows when %s', async (_, failure) => {
    const { step, limits } = stepsOf([2_000, failure, 200, 5]);
    expect(await deleteInSteps(step, statement)).toBe(2_205);
    expect(limits).toEqual([2_000, 2_000, 200, 200]);
  });

  it('throws when a single row takes too long', async () => {
    const { step, limits } = stepsOf(Array.from({ length: 9 }, () => timeout));
    await expect(deleteInSteps(step, statement)).rejects.toBe(timeout);
    expect(limits).toEqual([2_000, 200, 20, 2, 1]);
  });

  it('rethrows any other failure immediately', async () => {
    const failure = new Error('the run must not continue');
    const { step, limits } = stepsOf([failure]);
    await expect(deleteInSteps(step, statement)).rejects.toBe(failure);
    expect(limits).toEqual([2_000]);
  });
});
