import type { Caller, Project } from '@millwright/auth';
import type { Database, Target, Tx, Versioned } from '@millwright/db';
import { defineRecords } from '@millwright/records';
import { invalidField } from '@millwright/errors';
import type { ListQuery } from '../metadata/list.contract.js';
import { listRecords } from '../metadata/list-records.js';
import { METADATA_COLUMNS, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, newMetadata } from '../metadata/records.store.js';
import { LONGEST_RENDERED_TEXT } from '@millwright/catalog/template';
import type { Block, BlockChanges, NewBlock } from './blocks.contract.js';

interface BlockRow extends MetadataRow {
  id: string;
  prefix: string;
  content: string;
}

/**
 * Maximum size of the contents of blocks, in bytes. Larger contents certainly exceed the limit of rendered texts: a prompt has three parts,
 * and a UTF-16 unit has at most 3 bytes.
 */
const MOST_BYTES = 3 * 3 * LONGEST_RENDERED_TEXT;

function toResponse(row: BlockRow): Block {
  const { id, content, prefix } = row;
  return { id, content, prefix, metadata: toMetadata(row), _link: `/v1/block/${id}` };
}

const BLOCKS = defineRecords<BlockRow, Block>({
  table: 'blocks',
  noun: 'block',
  columns: `r.id, r.prefix, r.content, ${METADATA_COLUMNS}`,
  bytes: 'octet_length(r.content)',
  toResponse,
});

/** Blocks of the prompt API. Every function accesses only one project. */
export function createBlockStore(db: Database) {
  return {
    find: (project: Project, id: string) => BLOCKS.find(db, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db.reads, BLOCKS, project, query),

    /** Returns the given prefixes for which a block exists. */
    async existing(project: Project, prefixes: readonly string[]): Promise<string[]> {
      if (prefixes.length === 0) return [];
      const text = 'SELECT prefix FROM blocks WHERE project = $1 AND prefix = ANY ($2)';
      const rows = await db.prepared<{ prefix: string }>('block-prefixes', text, [project, prefixes]);
      return rows.map(({ prefix }) => prefix);
    },

    /**
     * Maps each existing prefix to the content of its block.
     *
     * @throws AppError validation_error when the contents are too long to render.
     */
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
    async create(tx: Tx, caller: Caller, { prefix, content, metadata }: NewBlock): Promise<Versioned<Block>> {
      const row = await BLOCKS.create(
        tx,
        caller,
        (columns) => tx.block.create({ data: { ...newMetadata(caller, metadata), ...columns, prefix, content } }),
        () => ({ prefix }),
      );
      return BLOCKS.toVersioned(row);
    },

    /** @throws AppError not_found, precondition_failed, conflict when the prefix is taken or `metadata.version` is not current. */
    async update(tx: Tx, caller: Caller, target: Target, changes: BlockChanges): Promise<Versioned<Block>> {
      const row = await changeRecord(tx, caller, BLOCKS, target, changes, (id, data) =>
        tx.block.update({ where: { id }, data }),
      );
      return BLOCKS.toVersioned(row);
    },

    /** @throws AppError not_found, precondition_failed */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      BLOCKS.remove(tx, caller, target, ({ id }) => tx.block.delete({ where: { id } })),
  };
}
export type BlockStore = ReturnType<typeof createBlockStore>;
