import { createHash } from 'node:crypto';
import { deletedConversations, hideConversations, Prisma } from '@millwright/db';
import { ERASED_NAME, ERASED_USER_ID } from './erased-user.js';

/** A kind of rows that refer to a person, and the change that an erasure makes to these rows. */
export interface ErasureStep {
  table: string;
  /** Columns that refer to the person. */
  columns: readonly string[];
  /** Deletes at most `limit` rows, or removes their reference to the person. */
  statement: (person: { id: string; email: string }, limit: number) => Prisma.Sql;
}

type Person = Parameters<ErasureStep['statement']>[0];

const column = (name: string) => Prisma.raw(`r.${name}`);
const isPerson = (columns: readonly string[], { id }: Person) =>
  Prisma.join(
    columns.map((name) => Prisma.sql`${column(name)} = ${id}::uuid`),
    ' OR ',
  );
const selected = (table: string, condition: Prisma.Sql, limit: number) => Prisma.sql`
  ctid = ANY(ARRAY(SELECT r.ctid FROM ${Prisma.raw(table)} r WHERE ${condition} LIMIT ${limit}))`;

/** Returns the step that deletes the person's rows, and the rows that `also` selects. */
function remove(table: string, columns: readonly string[], also?: (person: Person) => Prisma.Sql): ErasureStep {
  const condition = (person: Person) => {
    const conditions = [...(columns.length > 0 ? [isPerson(columns, person)] : []), ...(also ? [also(person)] : [])];
    return Prisma.join(conditions, ' OR ');
  };
  return {
    table,
    columns,
    statement: (person, limit) =>
      Prisma.sql`DELETE FROM ${Prisma.raw(table)} WHERE ${selected(table, condition(person), limit)}`,
  };
}

/** Returns the step that removes the reference to the person from rows that belong to the project. These rows stay. */
function keep(table: string, name: string, author?: 'author'): ErasureStep {
  const changes = Prisma.sql`${Prisma.raw(name)} = ${ERASED_USER_ID}::uuid${
    author ? Prisma.sql`, author = ${ERASED_NAME}` : Prisma.empty
  }`;
  return {
    table,
    columns: [name],
    statement: (person, limit) => Prisma.sql`
      UPDATE ${Prisma.raw(table)} SET ${changes} WHERE ${selected(table, isPerson([name], person), limit)}`,
  };
}

/** Returns a step for the person's conversations. */
const ofConversations = (
  table: string,
  columns: readonly string[],
  statement: (of: Prisma.Sql, limit: number) => Prisma.Sql,
): ErasureStep => ({
  table,
  columns,
  statement: ({ id }, limit) => statement(Prisma.sql`c.user_id = ${id}::uuid`, limit),
});

/** Returns the condition that selects rows whose foreign key `name` refers to one of the person's rows in `table`. */
const through = (name: string, table: string) => (person: Person) => Prisma.sql`
  ${column(name)} = ANY(ARRAY(SELECT id FROM ${Prisma.raw(table)} WHERE user_id = ${person.id}::uuid))`;

/** A step for each kind of rows that refer to a user, except the audit log. The order satisfies the foreign keys. */
export const ERASURE_STEPS: readonly ErasureStep[] = [
  remove('account_notices', ['user_id']),
  remove(
    'webauthn_ceremonies',
    ['user_id'],
    (person) => Prisma.sql`r.email = ${person.email}::citext OR ${through('setup_token_id', 'setup_tokens')(person)}`,
  ),
  remove('platform_admin_requests', ['user_id', 'requested_by', 'decided_by']),
  remove('setup_tokens', ['user_id']),
  remove('passkeys', ['user_id']),
  remove('magic_link_requests', [], ({ email }) => {
    const subject = createHash('sha256').update(email.toLowerCase()).digest();
    return Prisma.sql`r.kind = 'email' AND r.subject = ${subject}`;
  }),
  remove('magic_link_tokens', ['user_id']),
  remove('console_codes', ['user_id']),
  remove('session_refresh_tokens', [], through('session_id', 'user_sessions')),
  remove('sso_requests', [], through('session_id', 'user_sessions')),
  remove('sso_sessions', [], through('session_id', 'user_sessions')),
  remove('sso_identities', ['user_id']),
  remove('scim_members', ['user_id']),
  remove('scim_users', ['user_id']),
  remove('user_sessions', ['user_id']),
  remove('device_nonces', [], through('device_id', 'devices')),
  remove('device_link_codes', ['user_id']),
  remove('devices', ['user_id']),
  {
    table: 'user_api_keys',
    columns: [],
    statement: (person, limit) => Prisma.sql`
      UPDATE user_api_keys SET successor_id = NULL
       WHERE ${selected('user_api_keys', Prisma.sql`${isPerson(['user_id'], person)} AND r.successor_id IS NOT NULL`, limit)}`,
  },
  remove('user_api_keys', ['user_id']),
  remove('oauth_authorizations', ['user_id'], through('client_id', 'oauth_clients')),
  remove('oauth_consents', ['user_id'], through('client_id', 'oauth_clients')),
  remove(
    'oauth_refresh_tokens',
    [],
    (person) => Prisma.sql`r.grant_id = ANY(ARRAY(
      SELECT id FROM oauth_grants r WHERE r.user_id = ${person.id}::uuid OR ${through('client_id', 'oauth_clients')(person)}))`,
  ),
  remove('oauth_grants', ['user_id'], through('client_id', 'oauth_clients')),
  remove('oauth_clients', ['user_id']),
  keep('oauth_clients', 'approved_by'),
  remove('mcp_sessions', ['user_id']),
  remove('mcp_shared_sessions', ['user_id']),
  remove('mcp_upstream_sessions', ['user_id']),
  remove('mcp_waiting_calls', ['user_id']),
  remove('mcp_connections', ['user_id']),
  remove('mcp_connection_requests', ['user_id']),
  remove('tasks', ['user_id']),
  remove(
    'trigger_firings',
    [],
    ({ id }) => Prisma.sql`r.trigger_id = ANY(ARRAY(SELECT id FROM triggers WHERE owner_id = ${id}::uuid))`,
  ),
  // The next firing disables the trigger, because it has no owner: no run acts for the erased user.
  keep('triggers', 'owner_id'),
  remove('budgets', ['user_id']),
  keep('budgets', 'created_by'),
  keep('model_prices', 'created_by'),
  keep('models', 'created_by'),
  remove('approvals', ['user_id']),
  keep('approvals', 'decided_by'),
  remove('runs', ['user_id']),
  remove('context_messages', [], through('context_id', 'contexts')),
  remove('contexts', ['user_id']),
  // Messages that forks of other users share are kept without their author.
  {
    table: 'conversation_messages',
    columns: [],
    statement: ({ id }, limit) => Prisma.sql`
      UPDATE conversation_messages SET author = ${ERASED_NAME} WHERE id = ANY(ARRAY(
        SELECT m.id FROM conversations r
          JOIN conversations f ON f.parent_id = r.id
          JOIN conversation_messages m ON m.conversation_id = r.id AND m.author <> ${ERASED_NAME}
         WHERE r.user_id = ${id}::uuid LIMIT ${limit}))`,
  },
  ofConversations('conversations', ['user_id'], (of, limit) =>
    hideConversations(Prisma.sql`SELECT c.id FROM conversations c WHERE ${of} AND c.deleted_at IS NULL LIMIT ${limit}`),
  ),
  ofConversations('responses', [], deletedConversations.responses),
  ofConversations('conversation_messages', [], deletedConversations.messages),
  ofConversations('conversations', ['user_id'], deletedConversations.rows),
  // Conversations that forks of other users need are kept without an owner.
  ofConversations(
    'conversations',
    ['user_id'],
    (of, limit) => Prisma.sql`
      UPDATE conversations SET user_id = ${ERASED_USER_ID}::uuid, author = ${ERASED_NAME}, title = '', description = '', tags = '{}', log_message = ''
       WHERE id = ANY(ARRAY(
         SELECT c.id FROM conversations c JOIN conversations f ON f.parent_id = c.id AND f.user_id <> c.user_id
          WHERE ${of} LIMIT ${limit}))`,
  ),
  remove(
    'passages',
    [],
    ({ id }) => Prisma.sql`r.file_id IN (SELECT f.id FROM files f WHERE f.created_by = ${id}::uuid)`,
  ),
  remove('files', ['created_by']),
  keep('usage_events', 'user_id'),
  {
    table: 'usage_days',
    columns: ['user_id'],
    statement: (person, limit) => Prisma.sql`
      WITH gone AS (
        DELETE FROM usage_days WHERE ${selected('usage_days', isPerson(['user_id'], person), limit)} RETURNING *)
      INSERT INTO usage_days AS d (project, day, user_id, kind, model, events, prompt_tokens, completion_tokens, cost_usd, known_cost_usd, unpriced_events)
      SELECT project, day, ${ERASED_USER_ID}::uuid, kind, model, events, prompt_tokens, completion_tokens, cost_usd,
             coalesce(known_cost_usd, cost_usd), coalesce(unpriced_events, CASE WHEN cost_usd IS NULL THEN events ELSE 0 END) FROM gone
      ON CONFLICT (day, project, user_id, kind, model) DO UPDATE
        SET events = d.events + excluded.events, prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
            completion_tokens = d.completion_tokens + excluded.completion_tokens,
            cost_usd = d.cost_usd + excluded.cost_usd,
            known_cost_usd = coalesce(d.known_cost_usd + excluded.known_cost_usd, d.known_cost_usd, excluded.known_cost_usd),
            unpriced_events = d.unpriced_events + excluded.unpriced_events`,
  },
  keep('job_runs', 'owner_id'),
  keep('skills', 'created_by'),
  keep('skill_versions', 'created_by'),
  keep('agents', 'created_by'),
  keep('agent_versions', 'created_by'),
  keep('plugins', 'created_by'),
  keep('mcp_servers', 'created_by'),
  keep('webhooks', 'created_by'),
  keep('triggers', 'created_by'),
  keep('content_items', 'created_by'),
  keep('file_knowledge', 'created_by'),
  keep('knowledge_search', 'updated_by'),
  keep('knowledge_sources', 'created_by'),
  keep('prompts', 'created_by', 'author'),
  keep('prompt_versions', 'created_by', 'author'),
  keep('prompt_labels', 'moved_by', 'author'),
  keep('blocks', 'created_by', 'author'),
  keep('artifacts', 'created_by', 'author'),
];
