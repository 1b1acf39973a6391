import type { Caller, Project } from '@millwright/auth';
import { changeAgentRecord, createAgentRecord } from '@millwright/catalog';
import { decodeId, Prisma, type Database, type Target, type Tx, type Versioned } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { defineRecords } from '@millwright/records';
import type { ListQuery } from '../metadata/list.contract.js';
import { listRecords } from '../metadata/list-records.js';
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

function toResponse(row: AgentRow): Agent {
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

const AGENTS = defineRecords<AgentRow, Agent>({
  table: 'agents',
  noun: 'agent',
  columns: COLUMNS,
  bytes: 'octet_length(r.instructions)',
  toResponse,
});

const STATUS = { published: 'active', draft: 'inactive', archived: 'archived' } as const;
const toStatus = (status: keyof typeof STATUS | undefined) => status && STATUS[status];

/** The platform API's agents in the form of the prompt API. Every function accesses only one project. */
export function createAgentStore(db: Database, publishedByDefault: boolean) {
  async function read(tx: Tx, id: string): Promise<Versioned<Agent>> {
    const [row] = await tx.$queryRaw<AgentRow[]>`SELECT ${Prisma.raw(COLUMNS)} FROM agents r WHERE r.id = ${id}::uuid`;
    if (!row) throw new Error('the agent is gone though its row is locked');
    return AGENTS.toVersioned(row);
  }

  return {
    find: (project: Project, id: string) => AGENTS.find(db, project, id),

    list: (project: Project, query: ListQuery) =>
      listRecords(db.reads, AGENTS, project, query, {
        title: 'name',
        tags: 'content_tags',
        status: toStatus(query.status),
      }),

    /** @throws AppError conflict when the title is taken in the project, or the prefix is taken in the installation. */
    async create(tx: Tx, caller: Caller, { content, prefix, metadata }: NewAgent): Promise<Versioned<Agent>> {
      const { title: name, description, tag: content_tags, status } = metadata;
      const fields = { name, description, content_tags, instructions: content, status: toStatus(status), slug: prefix };
      const { record } = await createAgentRecord(tx, caller, { ...fields, published: publishedByDefault });
      return read(tx, decodeId('ag', record.id) ?? '');
    },

    /** @throws AppError not_found, precondition_failed, conflict when the title is taken or `metadata.version` is not current. */
    async update(
      tx: Tx,
      caller: Caller,
      target: Target,
      { content, metadata = {} }: AgentChanges,
    ): Promise<Versioned<Agent>> {
      const current = await AGENTS.lock(tx, caller, target);
      const { version, title: name, description, tag: content_tags, status } = metadata;
      if (version !== undefined && version !== current.version) throw new AppError('conflict');
      const fields = { name, description, content_tags, instructions: content, status: toStatus(status) };
      await changeAgentRecord(tx, caller, current, fields);
      return read(tx, current.id);
    },
  };
}
export type AgentStore = ReturnType<typeof createAgentStore>;
