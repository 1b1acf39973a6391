import type { Caller, Project } from '@millwright/auth';
import { AVAILABLE } from '@millwright/mcp';
import type { Database } from '@millwright/db';

/** Limit of each list, so that the lists do not fill the model's context. */
const MOST = 50;

/** The lists, each with the scope that it requires. They contain only active records. */
const OFFERS = {
  agents: {
    scope: 'agents:read',
    text: `SELECT a.slug AS name, a.description FROM agents a
            WHERE a.project = $1 AND a.status = 'active' ORDER BY a.created_at, a.id LIMIT ${MOST}`,
  },
  skills: {
    scope: 'skills:read',
    text: `SELECT s.name, s.description FROM skills s
            WHERE s.project = $1 AND s.status = 'active' ORDER BY s.name LIMIT ${MOST}`,
  },
  mcp_servers: {
    scope: 'mcp:read',
    text: `SELECT s.slug AS name, s.description,
                  ARRAY(SELECT t.name FROM mcp_tools t WHERE t.server_id = s.id AND ${AVAILABLE} ORDER BY t.name) AS tools
             FROM mcp_servers s WHERE s.project = $1 AND s.status = 'active' ORDER BY s.created_at, s.id LIMIT ${MOST}`,
  },
  collections: {
    scope: 'content:read',
    text: `SELECT i.source AS name, count(*)::int AS items FROM content_items i
            WHERE i.project = $1 AND i.status = 'active' GROUP BY i.source ORDER BY i.source LIMIT ${MOST}`,
  },
} as const;

/** Lists the agents, skills, servers and collections of a project that the caller's scopes allow. */
export async function listOffers(db: Database, { project, scopes }: Caller): Promise<Record<string, object[]>> {
  const readable = Object.entries(OFFERS).filter(([, { scope }]) => scopes?.has(scope));
  const lists = await Promise.all(readable.map(([kind, { text }]) => read(db, project, kind, text)));
  return Object.fromEntries(readable.map(([kind], index) => [kind, lists[index] ?? []]));
}

const read = (db: Database, project: Project, kind: string, text: string) =>
  db.prepared<{ name: string }>(`offers-${kind}`, text, [project]);
