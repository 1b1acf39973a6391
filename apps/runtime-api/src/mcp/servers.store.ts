import type { Project } from '@millwright/auth';
import { OFFERED } from '@millwright/catalog';
import type { Database } from '@millwright/db';

export interface RegisteredServer {
  /** Its slug: how paths name it. */
  name: string;
  /** Names of the tools on offer. */
  tools: string[];
}

/** What area C sees of MCP servers. */
export function createMcpServerStore(db: Database) {
  return {
    /** A project's active servers, oldest first. */
    list: (project: Project): Promise<RegisteredServer[]> =>
      db.prepared<RegisteredServer>(
        'list-active-mcp-servers',
        `SELECT s.slug AS name,
                ARRAY(SELECT t.name FROM mcp_tools t WHERE t.server_id = s.id AND ${OFFERED} ORDER BY t.name) AS tools
           FROM mcp_servers s WHERE s.project = $1 AND s.status = 'active' ORDER BY s.created_at, s.id`,
        [project],
      ),
  };
}
export type McpServerStore = ReturnType<typeof createMcpServerStore>;
