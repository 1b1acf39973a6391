import type { Principal } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { Reference } from '../conversations/conversations.contract.js';
import { LONGEST_RENDERED_TEXT } from '@millwright/catalog/template';

/** The blocks and artifacts that a render or run refers to. */
export interface Referenced {
  /** References in the order of the request, each once. */
  references: Reference[];
  /** Contents of the references with an empty line between them, for `{{referenced_content}}`. */
  content: string | undefined;
}

/** The caller. A run or render contains only texts that the caller could also read directly. */
export type Reader = Pick<Principal, 'project' | 'scopes'>;

interface Row {
  id: string;
  type: 'artifact' | 'block';
  content: string | null;
}

/**
 * Maximum size of the contents, in bytes. Larger contents certainly exceed the limit of a rendered text, because a UTF-16 unit has at most
 * 3 bytes.
 */
const MOST_BYTES = 3 * LONGEST_RENDERED_TEXT;

const SELECT = `SELECT id, type, CASE WHEN sum(octet_length(content)) OVER () <= $3 THEN content END AS content FROM (
  SELECT id, 'artifact' AS type, content FROM artifacts WHERE project = $1 AND id = ANY ($2::uuid[])
  UNION ALL SELECT id, 'block', content FROM blocks WHERE project = $1 AND id = ANY ($2::uuid[])) r`;

/** Reads the artifacts and blocks that renders and runs refer to. Every function accesses only one project. */
export function createReferenceStore(db: Database) {
  return {
    /**
     * @throws AppError validation_error for an unknown id, and for contents that are too long to render; forbidden without the scope to read a
     * reference.
     */
    async find({ project, scopes }: Reader, uuids: readonly string[]): Promise<Referenced> {
      const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
      if (wanted.length === 0) return { references: [], content: undefined };
      const rows = await db.prepared<Row>('referenced-contents', SELECT, [project, wanted, MOST_BYTES]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      const found = wanted.map((uuid) => {
        const row = byId.get(uuid);
        if (!row) throw invalidField('reference', `${uuid} does not exist`);
        if (!scopes.has(`${row.type}s:read`)) throw new AppError('forbidden');
        if (row.content === null) throw invalidField('reference', 'makes the rendered text too long');
        return { ...row, content: row.content };
      });
      return {
        references: found.map(({ id, type }) => ({ uuid: id, link: `/v1/${type}/${id}`, type })),
        content: found.map(({ content }) => content).join('\n\n'),
      };
    },
  };
}
export type ReferenceStore = ReturnType<typeof createReferenceStore>;
