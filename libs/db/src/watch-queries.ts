import type pg from 'pg';

export interface Statement {
  name?: string;
  text: string;
}

/** Called when the query ends, with the error of the query if it failed. */
export type QueryEnd = (error?: unknown) => void;

type Query = (...given: unknown[]) => unknown;
type Callback = (error: unknown, ...result: unknown[]) => void;

/**
 * Calls `begin` for each query of a connection, and calls the function that `begin` returns when the query ends. Works
 * for callbacks and promises.
 */
export function watchQueries(client: pg.PoolClient, begin: (statement: Statement) => QueryEnd): void {
  const query = client.query.bind(client) as Query;
  const watched: Query = (...given) => {
    const end = begin(statementOf(given[0]));
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const settle: Callback = (error, ...result) => {
        end(error ?? undefined);
        (callback as Callback)(error, ...result);
      };
      return query(...given.slice(0, -1), settle);
    }
    const answer = query(...given);
    if (answer instanceof Promise) answer.then(() => end(), end);
    else end();
    return answer;
  };
  client.query = watched as typeof client.query;
}

function statementOf(given: unknown): Statement {
  if (typeof given === 'string') return { text: given };
  const { name, text = '' } = given as { name?: string; text?: string };
  return { ...(name !== undefined && { name }), text };
}
