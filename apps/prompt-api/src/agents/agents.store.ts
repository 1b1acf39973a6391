import type { Caller, Project } from '@millwright/auth';
import { changeAgentRecord, createAgentRecord } from '@millwright/catalog';
import { decodeId, lockRecord, type Database, type Target, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import { findRecord } from '../metadata/records.store.js';
import type { Agent, AgentChanges, NewAgent } from './agents.contract.js';

interface AgentRow {
  id: string;
  name: string;
  slug: string;
  description: string;
  instructions: string;
  content_tags: string[];
  status: string;
  author: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `r.id, r.name, r.slug, r.description, r.instructions, r.content_tags, r.status, r.version, r.created_at, r.updated_at,
  (SELECT u.name FROM users u WHERE u.id = r.created_by) AS author`;

function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    content: row.instructions,
    prefix: row.slug,
    metadata: {
      title: row.name,
      description: row.description,
      tag: row.content_tags,
      log_message: '',
      created: row.created_at.toISOString(),
      updated: row.updated_at.toISOString(),
      version: row.version,
      status: row.status === 'active' ? 'published' : 'draft',
      author: row.author,
    },
    _link: `/v1/agent/${row.id}`,
  };
}

const AGENTS = { kind: 'agents', columns: COLUMNS, named: { title: 'name', tags: 'content_tags' } } as const;

const STATUS = { published: 'active', draft: 'inactive', archived: 'archived' } as const;
const toStatus = (status: keyof typeof STATUS | undefined) => status && STATUS[status];

/** Area B's agents, in area D's form. Every function sees one project and nothing else. */
export function createAgentStore(db: Database) {
  async function shown(tx: Tx, id: string): Promise<Agent> {
    const text = `SELECT ${COLUMNS} FROM agents r WHERE r.id = $1::uuid`;
    const [row] = await tx.$queryRawUnsafe<AgentRow[]>(text, id);
    if (!row) throw new Error('the agent is gone though its row is held');
    return toAgent(row);
  }

  return {
    async find(project: Project, id: string): Promise<Agent | undefined> {
      const row = await findRecord<AgentRow>(db, AGENTS, project, id);
      return row && toAgent(row);
    },

    async list(project: Project, query: ListQuery): Promise<{ agents: Agent[]; total: number }> {
      const { rows, total } = await listPage<AgentRow>(db, AGENTS, project, query, toStatus(query.status));
      return { agents: rows.map(toAgent), total };
    },

    /** @throws AppError conflict when the project has an agent of that title, or the installation one of that prefix. */
    async create(tx: Tx, caller: Caller, { content, prefix, metadata }: NewAgent): Promise<Agent> {
      const { title: name, description, tag: content_tags, status } = metadata;
      const fields = { name, description, content_tags, instructions: content, status: toStatus(status), slug: prefix };
      const { record } = await createAgentRecord(tx, caller, fields);
      return shown(tx, decodeId('ag', record.id) ?? '');
    },

    /** @throws AppError not_found, precondition_failed, conflict when the title is taken or `metadata.version` is not current. */
    async update(tx: Tx, caller: Caller, target: Target, { content, metadata = {} }: AgentChanges): Promise<Agent> {
      const current = await lockRecord(tx, 'agents', caller.project, target.id, target.ifMatch);
      const { version, title: name, description, tag: content_tags, status } = metadata;
      if (version !== undefined && version !== current.version) throw new AppError('conflict');
      const fields = { name, description, content_tags, instructions: content, status: toStatus(status) };
      await changeAgentRecord(tx, caller, current, fields);
      return shown(tx, current.id);
    },
  };
}
export type AgentStore = ReturnType<typeof createAgentStore>;
