import type { Project } from '@millwright/auth';
import type { UpstreamServer } from '@millwright/catalog';
import type { Database } from '@millwright/db';

/** A registered server as the relay needs it. */
export interface RelayedServer extends UpstreamServer {
  slug: string;
  name: string;
  status: 'active' | 'unreachable';
  /** Whose own account is used there; undefined where one is used for all. */
  userId?: string;
}

/** `undefined` unless the project has a server of that slug that is not inactive. */
export async function findRelayedServer(
  db: Database,
  project: Project,
  slug: string,
): Promise<RelayedServer | undefined> {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(slug)) return undefined;
  const [server] = await db.prepared<RelayedServer>(
    'find-relayed-server',
    `SELECT s.id, s.slug, s.name, s.url, s.headers, s.auth, s.status FROM mcp_servers s
      WHERE s.project = $1 AND s.slug = $2 AND s.status <> 'inactive'`,
    [project, slug],
  );
  return server;
}
