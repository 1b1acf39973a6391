import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { decodeId, Prisma, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { contains, equals, listPage, type Condition } from '@millwright/records';
import { CONCIERGE } from '../concierge/concierge.js';
import type { ListQuery } from '../lists/list.contract.js';
import { TITLE, toContext, type ContextRow, type ContextStore } from './contexts.store.js';
import type { Conversation, ConversationChanges, ConversationDetail } from './conversations.contract.js';

interface ConversationRow extends ContextRow {
  /** Row id of the agent; null for the built-in agent. */
  agent_id: string | null;
  agent: string | null;
  pinned: boolean;
  shared: boolean;
}

interface ReadRow extends ConversationRow {
  own: boolean;
  user_name: string;
}

const COLUMNS = `r.id, ${TITLE} AS title, r.created_at, r.updated_at, r.agent_id, a.slug AS agent, r.pinned,
                 r.shared_at IS NOT NULL AS shared`;
const JOIN = 'LEFT JOIN agents a ON a.id = r.agent_id';

const CONVERSATIONS = {
  name: 'conversations',
  table: 'contexts',
  columns: COLUMNS,
  join: JOIN,
  // Columns by which the list is sorted after `pinned`.
  key: ['updated_at', 'id'],
};

/** Excludes conversations of deleted agents, whose rows exist until a job deletes them. */
const WITH_AGENT = '(r.agent_id IS NULL OR a.id IS NOT NULL)';

const ofAgent = (slug: string): Condition =>
  slug === CONCIERGE.slug
    ? { name: 'concierge', sql: (name) => `r.agent_id IS NULL AND ${name}::text IS NOT NULL`, value: slug }
    : {
        name: 'agent',
        sql: (name) => `r.agent_id = (SELECT b.id FROM agents b WHERE b.project = r.project AND b.slug = ${name})`,
        value: slug,
      };

const toConversation = (row: ConversationRow): Conversation => ({
  ...toContext(row),
  agent: row.agent ?? CONCIERGE.slug,
  pinned: row.pinned,
  shared: row.shared,
});

/** Reads and changes users' conversations with all agents. Another user's conversation is `not_found` unless it is shared. */
export function createConversationStore(db: Database, contexts: Pick<ContextStore, 'messagesOf' | 'remove'>) {
  /** Locks a conversation that belongs to the caller. */
  async function lockOwn(tx: Tx, { project, actor }: Caller, contextId: string) {
    const id = decodeId('ctx', contextId) ?? null;
    const [row] = await tx.$queryRaw<{ id: string; agent_id: string | null; agent: string | null }[]>`
      SELECT r.id, r.agent_id, a.slug AS agent FROM contexts r LEFT JOIN agents a ON a.id = r.agent_id
       WHERE r.id = ${id}::uuid AND r.project = ${project} AND r.user_id = ${actor.userId}::uuid
         AND (r.agent_id IS NULL OR a.id IS NOT NULL) FOR UPDATE OF r`;
    if (!row) throw new AppError('not_found');
    return { id: row.id, agent: { id: row.agent_id ?? CONCIERGE.id, slug: row.agent ?? CONCIERGE.slug } };
  }

  return {
    async list(
      { project, actor }: Caller,
      { limit, offset, agent, search }: ListQuery & { agent?: string | undefined; search?: string | undefined },
    ) {
      const { rows, total } = await listPage<ConversationRow>(db.reads, CONVERSATIONS, {
        conditions: [
          equals('r.user_id', actor.userId),
          {
            sql: (name) =>
              `r.project = ${name} AND (r.agent_id IS NULL OR EXISTS (SELECT FROM agents b WHERE b.id = r.agent_id))`,
            value: project,
          },
          ...(agent === undefined ? [] : [ofAgent(agent)]),
          ...(search ? [contains([TITLE], search)] : []),
        ],
        sort: 'pinned',
        direction: 'desc',
        limit,
        offset,
      });
      return { items: rows.map(toConversation), total, limit, offset };
    },

    /**
     * Returns the row id of a conversation. @throws AppError not_found unless the conversation is the caller's, or is shared with the caller's
     * project.
     */
    async requireReadable({ project, actor }: Caller, contextId: string): Promise<string> {
      const rows = await db.prepared<{ id: string }>(
        'find-readable-conversation',
        `SELECT r.id FROM contexts r ${JOIN}
          WHERE r.id = $3 AND r.project = $2 AND (r.user_id = $1 OR r.shared_at IS NOT NULL) AND ${WITH_AGENT}`,
        [actor.userId, project, decodeId('ctx', contextId) ?? null],
      );
      const [row] = rows;
      if (!row) throw new AppError('not_found');
      return row.id;
    },

    /** @throws AppError not_found unless the conversation is the caller's or shared with the caller's project. */
    async read({ project, actor }: Caller, contextId: string): Promise<ConversationDetail> {
      const id = decodeId('ctx', contextId);
      const [row] = id
        ? await db.prepared<ReadRow>(
            'read-conversation',
            `SELECT ${COLUMNS}, r.user_id = $1 AS own, u.name AS user_name
               FROM contexts r ${JOIN} JOIN users u ON u.id = r.user_id
              WHERE r.id = $3 AND r.project = $2 AND (r.user_id = $1 OR r.shared_at IS NOT NULL) AND ${WITH_AGENT}`,
            [actor.userId, project, id],
          )
        : [];
      if (!row) throw new AppError('not_found');
      const { own, user_name } = row;
      const messages = await contexts.messagesOf(row.id);
      const shown = own ? messages : messages.map((message) => ({ ...message, tools: [], run: null }));
      return { ...toConversation(row), own, user_name, messages: shown };
    },

    /** @throws AppError not_found unless the conversation is the caller's */
    async update(
      tx: Tx,
      caller: Caller,
      contextId: string,
      { title, pinned, shared }: ConversationChanges,
    ): Promise<Conversation> {
      const { id, agent } = await lockOwn(tx, caller, contextId);
      // A change of title, pin or sharing is not activity, so `updated_at` does not change.
      const [row] = await tx.$queryRaw<ConversationRow[]>`
        UPDATE contexts r
           SET title = coalesce(${title ?? null}, r.title), pinned = coalesce(${pinned ?? null}, r.pinned),
               shared_at = CASE ${shared ?? null}::boolean WHEN true THEN coalesce(r.shared_at, now()) WHEN false THEN NULL
                           ELSE r.shared_at END
         WHERE r.id = ${id}::uuid
        RETURNING r.id, ${Prisma.raw(TITLE)} AS title, r.created_at, r.updated_at, r.agent_id, r.pinned, r.shared_at IS NOT NULL AS shared`;
      if (!row) throw new AppError('not_found');
      const changed = Object.entries({ title, pinned, shared }).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      );
      const detail = { agent: agent.slug, changed, shared: row.shared };
      if (changed.length > 0)
        await recordDecision(tx, { ...caller, action: 'context.update', resource: contextId, detail });
      return toConversation({ ...row, agent: agent.slug });
    },

    /** @throws AppError not_found unless the conversation is the caller's */
    async remove(tx: Tx, caller: Caller, contextId: string): Promise<void> {
      const { agent } = await lockOwn(tx, caller, contextId);
      await contexts.remove(tx, caller, agent, contextId);
    },
  };
}
export type ConversationStore = ReturnType<typeof createConversationStore>;
