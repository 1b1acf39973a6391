import { hashSecret } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { RequestId } from '../json-rpc.js';

/** A client's answer to a question. */
export interface ClientAnswer {
  result?: unknown;
  error?: unknown;
}

/** Later ones push earlier ones out: a client's calls under way are few. */
const MOST_CANCELLED = 32;
const MOST_SUBSCRIPTIONS = 100;

/** What we remember for legacy clients of servers that have no sessions, for every replica. Opened and closed as all sessions are. */
export function createTranslatedSessionStore(db: Database) {
  return {
    async setLogLevel(id: string, level: string): Promise<void> {
      await db.prepared('set-mcp-log-level', 'UPDATE mcp_sessions SET log_level = $2 WHERE id_hash = $1', [
        hashSecret(id),
        level,
      ]);
    },

    /** For whichever replica makes the call. */
    async cancel(id: string, request: RequestId): Promise<void> {
      await db.prepared(
        'cancel-mcp-request',
        `UPDATE mcp_sessions
            SET cancelled = (array_append(cancelled, $2))[greatest(1, cardinality(cancelled) + 2 - ${MOST_CANCELLED}):]
          WHERE id_hash = $1`,
        [hashSecret(id), JSON.stringify(request)],
      );
    },

    async isCancelled(id: string, request: RequestId): Promise<boolean> {
      const rows = await db.prepared(
        'is-mcp-request-cancelled',
        'SELECT 1 FROM mcp_sessions WHERE id_hash = $1 AND $2 = ANY(cancelled)',
        [hashSecret(id), JSON.stringify(request)],
      );
      return rows.length > 0;
    },

    /** Keeps a place for the answers to questions, for whichever replica takes them. */
    async ask(id: string, questions: readonly string[]): Promise<void> {
      await db.prepared(
        'ask-mcp-client',
        'UPDATE mcp_sessions SET questions = questions || $2::jsonb WHERE id_hash = $1',
        [hashSecret(id), JSON.stringify(Object.fromEntries(questions.map((question) => [question, null])))],
      );
    },

    /** The first answer to what was asked counts; others, and those to nothing, are lost. */
    async answer(id: string, question: string, answer: ClientAnswer): Promise<void> {
      await db.prepared(
        'answer-mcp-question',
        `UPDATE mcp_sessions SET questions = jsonb_set(questions, ARRAY[$2::text], to_jsonb($3::text))
          WHERE id_hash = $1 AND questions -> $2::text = 'null'::jsonb`,
        [hashSecret(id), question, Buffer.from(JSON.stringify(answer)).toString('base64')],
      );
    },

    /** `undefined` until all are answered. */
    async answersTo(id: string, questions: readonly string[]): Promise<ClientAnswer[] | undefined> {
      const [row] = await db.prepared<{ answers: (string | null)[] }>(
        'find-mcp-answers',
        `SELECT ARRAY(SELECT questions ->> q FROM unnest($2::text[]) WITH ORDINALITY AS asked (q, n) ORDER BY n) AS answers
           FROM mcp_sessions WHERE id_hash = $1`,
        [hashSecret(id), questions],
      );
      if (!row || row.answers.includes(null)) return undefined;
      return row.answers.map(
        (text) => JSON.parse(Buffer.from(String(text), 'base64').toString('utf8')) as ClientAnswer,
      );
    },

    async forget(id: string, questions: readonly string[]): Promise<void> {
      const text = 'UPDATE mcp_sessions SET questions = questions - $2::text[] WHERE id_hash = $1';
      await db.prepared('forget-mcp-questions', text, [hashSecret(id), questions]);
    },

    /** `false` when there are too many already. */
    async subscribe(id: string, uri: string): Promise<boolean> {
      const rows = await db.prepared(
        'subscribe-mcp-resource',
        `UPDATE mcp_sessions SET subscriptions = array_append(array_remove(subscriptions, $2), $2)
          WHERE id_hash = $1 AND (cardinality(subscriptions) < ${MOST_SUBSCRIPTIONS} OR $2 = ANY(subscriptions))
          RETURNING 1`,
        [hashSecret(id), uri],
      );
      return rows.length > 0;
    },

    async unsubscribe(id: string, uri: string): Promise<void> {
      const text = 'UPDATE mcp_sessions SET subscriptions = array_remove(subscriptions, $2) WHERE id_hash = $1';
      await db.prepared('unsubscribe-mcp-resource', text, [hashSecret(id), uri]);
    },

    async subscriptionsOf(id: string): Promise<string[]> {
      const text = 'SELECT subscriptions FROM mcp_sessions WHERE id_hash = $1';
      const [row] = await db.prepared<{ subscriptions: string[] }>('find-mcp-subscriptions', text, [hashSecret(id)]);
      return row?.subscriptions ?? [];
    },
  };
}
export type TranslatedSessionStore = ReturnType<typeof createTranslatedSessionStore>;
