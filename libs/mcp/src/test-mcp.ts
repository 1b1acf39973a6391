import { randomBytes } from 'node:crypto';
import { createUser } from '@millwright/accounts';
import type { Caller } from '@millwright/auth';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createEgress, type Egress } from '@millwright/egress';
import { createSecretBox, type SecretBox } from '@millwright/secrets';
import { sealHeaders } from './index.js';

export const TEST_KEY = { id: 'test', key: randomBytes(32) };

/** A database with a user, and the dependencies of the MCP functions. `close` closes the database. */
export interface TestMcp {
  db: Database;
  egress: Egress;
  secrets: SecretBox;
  fetch: Egress['fetch'];
  caller: Caller;
  /** Registers a server whose first probe is due. @returns its UUID */
  newServer: (
    url: string,
    over?: {
      headers?: Record<string, string>;
      pin_tools?: boolean;
      project?: string;
      transport?: 'a2a';
      require_signed_card?: boolean;
      card_jwks_url?: string;
    },
  ) => Promise<string>;
  statusOf: (uuid: string) => Promise<{
    status: string;
    tools_count: number;
    version: number;
    generations: string[];
    last_error: string | null;
  }>;
  close: () => Promise<void>;
}

export async function startMcp(databaseUrl: string): Promise<TestMcp> {
  const db = createDatabase({ url: databaseUrl, poolMax: 6 });
  await db.transaction((tx) =>
    createUser(tx, { email: 'ada@example.com', name: 'Ada', role: 'user', platformAdmin: false, project: 'Core' }),
  );
  const { id: userId } = await db.prisma.user.findUniqueOrThrow({ where: { email: 'ada@example.com' } });
  const secrets = createSecretBox([TEST_KEY]);
  const egress = createEgress({ allowLoopback: true, allowHttp: false, allow: [] });
  return {
    db,
    egress,
    secrets,
    fetch: egress.fetch,
    caller: { project: 'Core', actor: { userId, kind: 'user', label: 'Ada' } },
    async newServer(url, { headers = {}, ...over } = {}) {
      const id = newId();
      const data = { id, project: 'Core', name: id, slug: id, url, created_by: userId, ...over };
      await db.prisma.mcpServer.create({ data: { ...data, headers: sealHeaders(secrets, id, headers) } });
      return id;
    },
    statusOf: (id) =>
      db.prisma.mcpServer.findUniqueOrThrow({
        where: { id },
        select: { status: true, tools_count: true, version: true, generations: true, last_error: true },
      }),
    async close() {
      await egress.close();
      await db.close();
    },
  };
}
