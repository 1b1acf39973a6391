import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { addToCount, conflictWhenTaken, type Database, type Target, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import { METADATA_COLUMNS, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, findRecord, newRecord, removeRecord } from '../metadata/records.store.js';
import { LONGEST_RENDERED_TEXT } from '../template/index.js';
import type { Block, BlockChanges, NewBlock } from './blocks.contract.js';

interface BlockRow extends MetadataRow {
  id: string;
  prefix: string;
  content: string;
}

const BLOCKS = {
  kind: 'blocks',
  name: 'block',
  columns: `r.id, r.prefix, r.content, ${METADATA_COLUMNS}`,
} as const;

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
      const row = await findRecord<BlockRow>(db, BLOCKS, project, id);
      return row && toBlock(row);
    },

    async list(project: Project, query: ListQuery): Promise<{ blocks: Block[]; total: number }> {
      const { rows, total } = await listPage<BlockRow>(db, BLOCKS, project, query);
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
    async create(tx: Tx, caller: Caller, { prefix, content, metadata }: NewBlock): Promise<Block> {
      const { project, actor } = caller;
      const data = { ...newRecord(caller, metadata), prefix, content };
      const row = await tx.block.create({ data }).catch(conflictWhenTaken);
      await addToCount(tx, { project, kind: 'blocks', status: row.status }, 1);
      await recordDecision(tx, { actor, action: 'block.create', resource: row.id, project, detail: { prefix } });
      return toBlock(row);
    },

    /** @throws AppError not_found, precondition_failed, conflict when the prefix is taken or `metadata.version` is not current. */
    update: async (tx: Tx, caller: Caller, target: Target, changes: BlockChanges): Promise<Block> =>
      toBlock(
        await changeRecord(tx, caller, BLOCKS, target, changes, (id, data) =>
          tx.block.update({ where: { id }, data }).catch(conflictWhenTaken),
        ),
      ),

    /** @throws AppError not_found, precondition_failed */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      removeRecord(tx, caller, BLOCKS, target, (id) => tx.block.delete({ where: { id } })),
  };
}
export type BlockStore = ReturnType<typeof createBlockStore>;
