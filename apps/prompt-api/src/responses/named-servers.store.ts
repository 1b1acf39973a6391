import { BUILTIN_TOOLS } from '@millwright/auth/tool-lists';
import type { Project } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AVAILABLE } from '@millwright/mcp';
import type { NamedServer } from './server-tools.js';

/** Label of the tools of this installation. */
const BUILTIN = 'platform';

/** Reads the MCP servers that requests name by their slugs, with the names of their available tools. */
export function createNamedServerStore(db: Database) {
  return {
    /** Reads the servers of the project that have one of these labels. The keys of the map are the labels. */
    async find(project: Project, labels: readonly string[]): Promise<Map<string, NamedServer>> {
      const rows = await db.prepared<{ id: string; slug: string; status: string; tools: string[] }>(
        'find-named-servers',
        `SELECT s.id, s.slug, s.status, ARRAY(SELECT t.name FROM mcp_tools t WHERE t.server_id = s.id AND ${AVAILABLE} ORDER BY t.name) AS tools
           FROM mcp_servers s WHERE s.project = $1 AND s.slug = ANY($2::text[])`,
        [project, [...new Set(labels)]],
      );
      const found = rows.map(({ id, slug, ...server }) => [slug, { id: encodeId('ms', id), ...server }] as const);
      return new Map<string, NamedServer>([
        [BUILTIN, { id: undefined, status: 'active', tools: BUILTIN_TOOLS }],
        ...found,
      ]);
    },
  };
}
export type NamedServerStore = ReturnType<typeof createNamedServerStore>;
