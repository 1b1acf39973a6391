import { encodeId, type IdPrefix } from '@millwright/db';
import pg from 'pg';

/** A seeded user: an admin of the project Core, who has more agents, runs and conversations than any other user. */
export interface SeededUser {
  id: string;
  email: string;
}

/** Condition on records of the user's project. */
const IN_PROJECT = "project = 'Core'";
/** SQL for the run with the most steps among the latest runs of the user. */
const RUN = `SELECT id FROM (SELECT id, step_count FROM runs WHERE user_id = $1 AND subject_kind = 'agent' AND state = 'completed' ORDER BY id DESC LIMIT 50) r ORDER BY step_count DESC LIMIT 1`;
const CONVERSATION = 'SELECT id FROM conversations WHERE user_id = $1 ORDER BY id LIMIT 1';
const AGENT = "SELECT subject_id FROM runs WHERE user_id = $1 AND subject_kind = 'agent' ORDER BY id LIMIT 1";
const SERVER = `SELECT id FROM mcp_servers WHERE ${IN_PROJECT} ORDER BY id LIMIT 1`;
const PROMPT = `SELECT id FROM prompts WHERE ${IN_PROJECT} ORDER BY id LIMIT 1`;

const first = (table: string, condition = IN_PROJECT) =>
  `SELECT id FROM ${table} WHERE ${condition} ORDER BY id LIMIT 1`;

/**
 * How to get a parameter's value. `sql` is a statement that selects a UUID, which is sent as a public id with this prefix. `text` is the value
 * itself. `column` is a statement that selects the value. `$1` in a statement is the user's id.
 */
type Value = { sql: string; prefix?: IdPrefix } | { text: string } | { column: string };

/**
 * Values of path parameters. The key is `<service> <parameter>`. Where paths of a service use one parameter name for different records, the key is
 * `<service> <path up to the parameter>`.
 */
const VALUES: Readonly<Record<string, Value>> = {
  'admin decision_id': { column: 'SELECT id::text FROM governance_decisions ORDER BY at DESC, id DESC LIMIT 1' },
  'admin project': { text: 'Core' },
  'admin user_id': { sql: 'SELECT $1::uuid', prefix: 'usr' },
  'admin scim_user_id': { sql: 'SELECT user_id FROM scim_users ORDER BY user_id LIMIT 1', prefix: 'usr' },
  'admin scim_group_id': { sql: 'SELECT id FROM scim_groups ORDER BY id LIMIT 1' },
  'admin /scim/v2/Schemas/{document_id}': { text: 'urn:ietf:params:scim:schemas:core:2.0:User' },
  'admin /scim/v2/ResourceTypes/{document_id}': { text: 'User' },
  'platform skill_id': { sql: first('skills'), prefix: 'sk' },
  'platform agent_id': { sql: AGENT, prefix: 'ag' },
  'platform plugin_id': { sql: first('plugins'), prefix: 'pl' },
  'platform content_id': { sql: first('content_items'), prefix: 'ct' },
  'platform server_id': { sql: SERVER, prefix: 'ms' },
  'platform webhook_id': {
    sql: `SELECT webhook_id FROM event_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE ${IN_PROJECT} ORDER BY d.id LIMIT 1`,
    prefix: 'wh',
  },
  'platform delivery_id': {
    sql: `SELECT d.id FROM event_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE ${IN_PROJECT} ORDER BY d.id LIMIT 1`,
    prefix: 'dlv',
  },
  'platform trigger_id': { sql: first('triggers'), prefix: 'trg' },
  'platform budget_id': { sql: first('budgets'), prefix: 'bud' },
  'platform model_id': { sql: first('models'), prefix: 'mdl' },
  'platform client_id': {
    column: `SELECT client_id FROM oauth_clients WHERE user_id = $1 AND ${IN_PROJECT} AND revoked_at IS NULL ORDER BY id DESC LIMIT 1`,
  },
  'platform version': { text: '1' },
  'prompt /v1/prompt/{uuid}': { sql: PROMPT },
  'prompt /v1/input/{uuid}': { sql: first('prompt_definitions', `${IN_PROJECT} AND kind = 'input'`) },
  'prompt /v1/output/{uuid}': { sql: first('prompt_definitions', `${IN_PROJECT} AND kind = 'output'`) },
  'prompt /v1/conversation/{uuid}': { sql: CONVERSATION },
  'prompt /v1/agent/{uuid}': { sql: AGENT },
  'prompt /v1/artifact/{uuid}': { sql: first('artifacts') },
  'prompt /v1/block/{uuid}': { sql: first('blocks') },
  'prompt conversation_id': { sql: CONVERSATION },
  'prompt item_id': {
    sql: `SELECT id FROM conversation_messages WHERE conversation_id = (${CONVERSATION}) ORDER BY seq LIMIT 1`,
    prefix: 'msg',
  },
  'prompt response_id': {
    sql: `SELECT r.id FROM responses r JOIN conversations c ON c.id = r.conversation_id WHERE c.user_id = $1 ORDER BY r.id LIMIT 1`,
    prefix: 'resp',
  },
  'prompt model': { text: 'house-small' },
  'prompt n': { text: '2' },
  'runtime agent_name': { column: `SELECT slug FROM agents WHERE id = (${AGENT})` },
  'runtime /api/v1/contexts/{context_id}': { sql: `SELECT context_id FROM runs WHERE id = (${RUN})`, prefix: 'ctx' },
  'runtime /api/v1/agents/{agent_name}/contexts/{context_id}': {
    sql: `SELECT id FROM contexts WHERE user_id = $1 AND agent_id = (${AGENT}) ORDER BY id LIMIT 1`,
    prefix: 'ctx',
  },
  'runtime image_id': {
    sql: `SELECT i.id FROM context_images i JOIN context_messages m ON m.id = i.message_id WHERE m.context_id = (SELECT context_id FROM runs WHERE id = (${RUN}))`,
    prefix: 'img',
  },
  'runtime run_id': { sql: RUN, prefix: 'run' },
  'runtime seq': { text: '1' },
  'runtime user_id': { sql: 'SELECT $1::uuid', prefix: 'usr' },
  'runtime content_id': { sql: first('content_items'), prefix: 'ct' },
  'runtime file_id': {
    sql: `SELECT file_id FROM file_knowledge WHERE ${IN_PROJECT} ORDER BY file_id LIMIT 1`,
    prefix: 'fl',
  },
  'runtime source_id': { sql: first('knowledge_sources'), prefix: 'kns' },
};

/** Finds records of a seeded database for the parameters of paths. */
export async function openSeededRecords(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<SeededUser>(
    "SELECT id, email::text FROM users WHERE email LIKE '%.0@seed.example'",
  );
  const [user] = rows;
  if (!user) throw new Error('the database was not seeded');

  async function valueOf(service: string, path: string, name: string): Promise<string> {
    const upToName = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
    const value = VALUES[`${service} ${upToName}`] ?? VALUES[`${service} ${name}`];
    if (!value) throw new Error(`no record is known for {${name}} of ${service} ${path}; add one to VALUES`);
    if ('text' in value) return value.text;
    const text = 'sql' in value ? value.sql : value.column;
    const found = await client.query<Record<string, string>>(text, text.includes('$1') ? [user?.id] : []);
    const [id = ''] = Object.values(found.rows[0] ?? {});
    if (id === '') throw new Error(`the seed has no record for {${name}} of ${service} ${path}`);
    return 'sql' in value && value.prefix ? encodeId(value.prefix, id) : id;
  }

  return {
    user,
    /** Replaces each parameter of the path by the id of a seeded record. */
    async fill(service: string, path: string): Promise<string> {
      let filled = path;
      for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
        filled = filled.replace(`{${name}}`, encodeURIComponent(await valueOf(service, path, name)));
      return filled;
    },
    /** Makes the user a platform admin, and deletes the user's passkeys, which an earlier run on the same database may have left. */
    async prepareUser(): Promise<void> {
      await client.query('DELETE FROM passkeys WHERE user_id = $1', [user.id]);
      await client.query('UPDATE users SET platform_admin = true WHERE id = $1', [user.id]);
    },
    close: () => client.end(),
  };
}
