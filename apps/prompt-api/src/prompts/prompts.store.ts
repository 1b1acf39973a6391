import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { ADVISORY_LOCKS, addToCount, jsonColumn, moveCount, Prisma, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { readParameters, type ModelParameters } from '@millwright/models/parameters';
import { defineRecords } from '@millwright/records';
import type { ListQuery } from '../metadata/list.contract.js';
import { listRecords } from '../metadata/list-records.js';
import type { NewMetadata, Status } from '../metadata/metadata.contract.js';
import type { Definition, Instruction, NewDefinition, Prompt } from './prompts.contract.js';

export type DefinitionKind = 'input' | 'output';

/** A definition as a version stores it: with its id, and with a schema that is merged with the schemas of the definitions that it refers to. */
export interface StoredDefinition extends NewDefinition {
  id: string;
  /** The merged schema. It is stored with the version, so that the version renders the same even when other definitions change. */
  resolved_schema: Record<string, unknown>;
}

/** The content of a version. Versions never change. */
export interface VersionContent {
  instruction: Instruction;
  input: StoredDefinition;
  output: StoredDefinition;
  model_parameters: ModelParameters;
  metadata: NewMetadata;
}

export interface StoredPrompt extends VersionContent {
  id: string;
  version: number;
  author: string;
  created_at: Date;
  updated_at: Date;
}

/** A version as read from its row, with unparsed model parameters. */
export type VersionRow = Omit<StoredPrompt, 'model_parameters'> & { model_parameters: unknown };

export const readVersion = (row: VersionRow): StoredPrompt => ({
  ...row,
  model_parameters: readParameters(row.model_parameters),
});

const COLUMNS = `r.id, r.version, r.author, r.created_at, r.updated_at, v.instruction, v.input, v.output, v.model_parameters, v.metadata`;
/** SQL for the bytes of a version. */
export const VERSION_BYTES =
  'octet_length(v.instruction::text) + octet_length(v.input::text) + octet_length(v.output::text)';
const CURRENT_VERSION = 'JOIN prompt_versions v ON v.prompt_id = r.id AND v.version = r.version';
const FROM = `prompts r ${CURRENT_VERSION}`;

/** Formats a prompt for answers of the API. */
export function toPrompt(stored: StoredPrompt): Prompt {
  const { id, instruction, model_parameters, metadata } = stored;
  return {
    id,
    instruction,
    input: toDefinition('input', stored.input),
    output: toDefinition('output', stored.output),
    model_parameters,
    metadata: {
      ...metadata,
      created: stored.created_at.toISOString(),
      updated: stored.updated_at.toISOString(),
      version: stored.version,
      author: stored.author,
    },
    _link: `/v1/prompt/${id}`,
  };
}

export function toDefinition(
  kind: DefinitionKind,
  { id, name, description, type, reference, schema }: Omit<StoredDefinition, 'resolved_schema'>,
): Definition {
  const links = reference.map((uuid) => ({ uuid, link: `/v1/${kind}/${uuid}`, type: kind }));
  return { id, name, description, type, reference: links, schema };
}

const PROMPTS = defineRecords<VersionRow, StoredPrompt>({
  table: 'prompts',
  noun: 'prompt',
  columns: COLUMNS,
  bytes: VERSION_BYTES,
  join: CURRENT_VERSION,
  toResponse: readVersion,
});

/** Prompts with their current version. Every function accesses only one project. */
export function createPromptStore(db: Database) {
  return {
    find: async (project: Project, id: string): Promise<StoredPrompt | undefined> => {
      const row = await PROMPTS.findRow(db, project, id);
      return row && readVersion(row);
    },

    list: (project: Project, query: ListQuery) => listRecords(db.reads, PROMPTS, project, query),

    async findDefinition(project: Project, kind: DefinitionKind, id: string): Promise<Definition | undefined> {
      const row = await db.prisma.promptDefinition.findFirst({ where: { id, kind, project } });
      return row ? toDefinition(kind, fromRow(row)) : undefined;
    },

    /** Locks the references between the project's definitions until the transaction ends. */
    async lockReferences(tx: Tx, project: Project): Promise<void> {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`prompt references of ${project}`}, ${ADVISORY_LOCKS.named}))`;
    },

    /** Finds definitions by their ids. Ids that do not exist in the project are ignored. */
    async definitions(tx: Tx | undefined, project: Project, kind: DefinitionKind, ids: readonly string[]) {
      const rows = await (tx ?? db.prisma).promptDefinition.findMany({
        where: { id: { in: [...ids] }, kind, project },
      });
      return new Map(rows.map((row) => [row.id, fromRow(row)]));
    },

    /** Whether another prompt's current definitions refer to a definition of this prompt. */
    async isReferredTo(tx: Tx, project: Project, { id, input, output }: StoredPrompt): Promise<boolean> {
      const where = { project, prompt_id: { not: id }, reference: { hasSome: [input.id, output.id] } };
      return (await tx.promptDefinition.findFirst({ where, select: { id: true } })) !== null;
    },

    async create(tx: Tx, caller: Caller, content: VersionContent): Promise<StoredPrompt> {
      const author = caller.actor.label;
      const row = await PROMPTS.create(
        tx,
        caller,
        async (columns) => {
          const prompt = await tx.prompt.create({ data: { ...currentColumns(content), ...columns, author } });
          await writeVersion(tx, prompt.id, 1, caller, content, prompt.created_at);
          return prompt;
        },
        ({ title }) => ({ title }),
      );
      const { id, version, created_at, updated_at } = row;
      return { ...content, id, version, author, created_at, updated_at };
    },

    /**
     * Locks the prompt until the transaction ends.
     *
     * @throws AppError not_found, precondition_failed when `If-Match` names other versions.
     */
    async lock(tx: Tx, project: Project, id: string, ifMatch: readonly number[] | undefined): Promise<StoredPrompt> {
      // A separate statement: after waiting for the lock, a statement with a join would still see the version from before the wait.
      await tx.$queryRaw`SELECT 1 FROM prompts WHERE id = ${id}::uuid AND project = ${project} FOR UPDATE`;
      const [row] = await tx.$queryRaw<VersionRow[]>`
        SELECT ${Prisma.raw(COLUMNS)} FROM ${Prisma.raw(FROM)}
         WHERE r.id = ${id}::uuid AND r.project = ${project} AND r.deleted_at IS NULL`;
      if (!row) throw new AppError('not_found');
      if (ifMatch && !ifMatch.includes(row.version)) throw new AppError('precondition_failed');
      return readVersion(row);
    },

    /** Adds a version to a locked prompt. */
    async addVersion(
      tx: Tx,
      { project, actor }: Caller,
      from: StoredPrompt,
      content: VersionContent,
      action: 'prompt.update' | 'prompt.restore',
    ): Promise<StoredPrompt> {
      const version = from.version + 1;
      const now = new Date();
      const current = currentColumns(content);
      await tx.prompt.update({ where: { id: from.id }, data: { ...current, version, updated_at: now } });
      await writeVersion(tx, from.id, version, { project, actor }, content, now);
      await moveCount(tx, { project, kind: 'prompts', status: from.metadata.status }, current.status);
      await recordDecision(tx, { actor, action, resource: from.id, project, detail: { version } });
      return { ...content, id: from.id, version, author: from.author, created_at: from.created_at, updated_at: now };
    },

    /**
     * Deletes a locked prompt with its definitions and labels in constant time: hides the prompt, and a job deletes
     * its versions.
     */
    async remove(tx: Tx, { project, actor }: Caller, { id, metadata }: StoredPrompt, reason?: string): Promise<void> {
      await tx.promptLabel.deleteMany({ where: { prompt_id: id } });
      await tx.promptDefinition.deleteMany({ where: { prompt_id: id } });
      await tx.$executeRaw`UPDATE prompts SET deleted_at = now() WHERE id = ${id}::uuid`;
      await addToCount(tx, { project, kind: 'prompts', status: metadata.status }, -1);
      await recordDecision(tx, {
        actor,
        action: 'prompt.delete',
        resource: id,
        project,
        detail: { title: metadata.title, ...(reason !== undefined && { reason }) },
      });
    },
  };
}
export type PromptStore = ReturnType<typeof createPromptStore>;

/** Returns columns that repeat fields of the current version, so that lists can filter and sort by them. */
function currentColumns({ metadata }: VersionContent): {
  status: Status;
  title: string;
  description: string;
  tags: string[];
} {
  return { status: metadata.status, title: metadata.title, description: metadata.description, tags: metadata.tag };
}

async function writeVersion(
  tx: Tx,
  promptId: string,
  version: number,
  { project, actor }: Caller,
  content: VersionContent,
  now: Date,
) {
  const { instruction, input, output, model_parameters: parameters, metadata } = content;
  await tx.promptVersion.create({
    data: {
      prompt_id: promptId,
      version,
      instruction: { ...instruction },
      input: jsonColumn({ ...input }),
      output: jsonColumn({ ...output }),
      model_parameters: jsonColumn(parameters),
      metadata: { ...metadata },
      status: metadata.status,
      author: actor.label,
      created_by: actor.userId,
      created_at: now,
    },
  });
  for (const [kind, definition] of [
    ['input', input],
    ['output', output],
  ] as const) {
    const { id, name, description, type, reference } = definition;
    const fields = { name, description, type, reference, schema: jsonColumn(definition.schema) };
    await tx.promptDefinition.upsert({
      where: { id },
      create: { ...fields, id, prompt_id: promptId, kind, project },
      update: fields,
    });
  }
}

function fromRow(row: {
  id: string;
  name: string;
  description: string;
  type: unknown;
  reference: string[];
  schema: unknown;
}) {
  const { type, schema } = row as Pick<NewDefinition, 'type' | 'schema'>;
  return { ...row, type, schema };
}
