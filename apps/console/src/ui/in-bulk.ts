/**
 * Number of concurrent requests. With this number, the changes of one page of records take seconds and stay within the credential's rate
 * limit.
 */
const AT_ONCE = 4;

export interface BulkResult<Row> {
  done: Row[];
  failed: { row: Row; error: Error }[];
}

/** Calls `work` for each row, a few rows at a time. A failure does not stop the other calls. */
export async function inBulk<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<BulkResult<Row>> {
  const result: BulkResult<Row> = { done: [], failed: [] };
  const left = [...rows];
  const next = async (): Promise<void> => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      try {
        await work(row);
        result.done.push(row);
      } catch (error) {
        result.failed.push({ row, error: error instanceof Error ? error : new Error(String(error)) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return result;
}

/** Describes the result: "3 agents deleted." or "2 of 3 agents deleted. Not done: The agent is stopped." */
export function bulkText<Row>({ done, failed }: BulkResult<Row>, noun: string, verb: string): string {
  const all = done.length + failed.length;
  const nouns = all === 1 ? noun : `${noun}s`;
  if (failed.length === 0) return `${all} ${nouns} ${verb}.`;
  const reasons = [...new Set(failed.map(({ error }) => error.message))].slice(0, 3);
  return `${done.length} of ${all} ${nouns} ${verb}. Not done: ${reasons.join(' ')}`;
}
