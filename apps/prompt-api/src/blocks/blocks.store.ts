import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import {
  addToCount,
  conflictWhenTaken,
  lockRecord,
  moveCount,
  newId,
  type Database,
  type Target,
  type Tx,
} from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import {
  changedColumns,
  METADATA_COLUMNS,
  metadataColumns,
  toMetadata,
  withoutUndefined,
  type MetadataRow,
} from '../metadata/metadata.store.js';
import { LONGEST_RENDERED_TEXT } from '../template/index.js';
import type { Block, BlockChanges, NewBlock } from './blocks.contract.js';

interface BlockRow extends MetadataRow {
  id: string;
  prefix: string;
  content: string;
}

const COLUMNS = `r.id, r.prefix, r.content, ${METADATA_COLUMNS}`;

/** Blocks that together have more bytes can only make a text that is too long: three parts, and at most 3 bytes a UTF-16 unit. */
const MOST_BYTES = 3 * 3 * LONGEST_RENDERED_TEXT;

function toBlock(row: BlockRow): Block {
  const { id, content, prefix } = row;
  return { id, content, prefix, metadata: toMetadata(row), _link: `/v1/block/${id}` };
}

/** The only file that reads and writes blocks. Every function sees one project and nothing else. */
export function createBlockStore(db: Database) {
  return {
    async find(project: Project, id: string): Promise<Block | undefined> {
      const text = `SELECT ${COLUMNS} FROM blocks r WHERE r.id = $1 AND r.project = $2`;
      const [row] = await db.prepared<BlockRow>('find-block', text, [id, project]);
      return row && toBlock(row);
    },

    async list(project: Project, query: ListQuery): Promise<{ blocks: Block[]; total: number }> {
      const { rows, total } = await listPage<BlockRow>(db, { kind: 'blocks', columns: COLUMNS }, project, query);
      return { blocks: rows.map(toBlock), total };
    },

    /** Content by prefix, of those prefixes that a block has. @throws AppError validation_error when it is too much to render. */
    async contents(project: Project, prefixes: readonly string[]): Promise<Map<string, string>> {
      if (prefixes.length === 0) return new Map();
      const rows = await db.prepared<{ prefix: string; content: string | null }>(
        'block-contents',
        `SELECT prefix, CASE WHEN sum(octet_length(content)) OVER () <= $3 THEN content END AS content
           FROM blocks WHERE project = $1 AND prefix = ANY ($2)`,
        [project, prefixes, MOST_BYTES],
      );
      return new Map(
        rows.map(({ prefix, content }) => {
          if (content === null) throw invalidField('instruction', 'its blocks make the rendered text too long');
          return [prefix, content];
        }),
      );
    },

    /** @throws AppError conflict when the project has a block of that prefix. */
    async create(tx: Tx, { project, actor }: Caller, { prefix, content, metadata }: NewBlock): Promise<Block> {
      const now = new Date();
      const row = await tx.block
        .create({
          data: {
            ...metadataColumns(metadata),
            prefix,
            content,
            project,
            id: newId(),
            author: actor.label,
            created_by: actor.userId,
            created_at: now,
            updated_at: now,
          },
        })
        .catch(conflictWhenTaken);
      await addToCount(tx, { project, kind: 'blocks', status: row.status }, 1);
      await recordDecision(tx, { actor, action: 'block.create', resource: row.id, project, detail: { prefix } });
      return toBlock(row);
    },

    /** @throws AppError not_found, precondition_failed, conflict when the prefix is taken or `metadata.version` is not current. */
    async update(
      tx: Tx,
      { project, actor }: Caller,
      target: Target,
      { metadata, ...changes }: BlockChanges,
    ): Promise<Block> {
      const current = await lockRecord(tx, 'blocks', project, target.id, target.ifMatch);
      const data = { ...withoutUndefined(changes), ...changedColumns(metadata, current) };
      const row = await tx.block
        .update({ where: { id: current.id }, data: { ...data, version: { increment: 1 }, updated_at: new Date() } })
        .catch(conflictWhenTaken);
      await moveCount(tx, { project, kind: 'blocks', status: current.status }, row.status);
      const detail = { version: row.version, fields: Object.keys(data) };
      await recordDecision(tx, { actor, action: 'block.update', resource: row.id, project, detail });
      return toBlock(row);
    },

    /** @throws AppError not_found, precondition_failed */
    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'blocks', project, target.id, target.ifMatch);
      await tx.block.delete({ where: { id: current.id } });
      await addToCount(tx, { project, kind: 'blocks', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'block.delete', resource: current.id, project });
    },
  };
}
export type BlockStore = ReturnType<typeof createBlockStore>;
