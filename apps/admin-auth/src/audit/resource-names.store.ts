import { decodeId, isUuid, type Database } from '@millwright/db';
import type { Decision, ListedDecision } from './audit.contract.js';

/** Tables of records with a name, by the prefix of the record's id. Content and prompts have a title in place of the name. */
const TABLES = {
  usr: 'users WHERE deleted_at IS NULL AND',
  ag: 'agents WHERE',
  sk: 'skills WHERE',
  ms: 'mcp_servers WHERE',
  wh: 'webhooks WHERE deleted_at IS NULL AND',
  pl: 'plugins WHERE',
  trg: 'triggers WHERE deleted_at IS NULL AND',
  mdl: 'models WHERE',
  bud: 'budgets WHERE',
} as const;
const PREFIXES = [...(Object.keys(TABLES) as (keyof typeof TABLES)[]), 'ct'] as const;

const NAMES = [
  ...Object.values(TABLES).map((source) => `SELECT id, name FROM ${source} id = ANY($1::uuid[])`),
  'SELECT id, title AS name FROM content_items WHERE id = ANY($1::uuid[])',
  'SELECT id, title AS name FROM prompts WHERE deleted_at IS NULL AND id = ANY($1::uuid[])',
].join(' UNION ALL ');

/** Adds to rows of the audit log the current names of the records that they are about. */
export function createResourceNames(db: Database) {
  return async (rows: readonly Decision[]): Promise<ListedDecision[]> => {
    const ids = rows.map(({ resource }) => uuidOf(resource));
    const wanted = [...new Set(ids.filter((id) => id !== undefined))];
    const found =
      wanted.length === 0 ? [] : await db.reads.prepared<{ id: string; name: string }>('audit-names', NAMES, [wanted]);
    const names = new Map(found.map(({ id, name }) => [id, name]));
    return rows.map((row, index) => ({ ...row, resource_name: names.get(ids[index] ?? '') || null }));
  };
}

function uuidOf(resource: string): string | undefined {
  if (isUuid(resource)) return resource.toLowerCase();
  const prefix = PREFIXES.find((one) => resource.startsWith(`${one}_`));
  return prefix && (decodeId(prefix, resource) ?? undefined);
}
