import { recordDenial } from '@millwright/audit';
import type { Caller, Principal } from '@millwright/auth';
import { sealHeaders, type SealedHeaders, type SecretBox } from '@millwright/catalog';
import { newId, type Database, type Target, type Tx, type Versioned } from '@millwright/db';
import { EgressError, type Egress } from '@millwright/egress';
import { AppError, invalidField } from '@millwright/errors';
import { KEPT, type McpServer, type McpServerChanges, type NewMcpServer } from './mcp-servers.contract.js';
import type { LockedServer, McpServerStore } from './mcp-servers.store.js';

export interface McpServerServiceOptions {
  db: Database;
  servers: McpServerStore;
  egress: Pick<Egress, 'checkReachable'>;
  box: SecretBox;
}

/** One reason for all, so that it tells nothing of our network. */
const NOT_REACHABLE = 'must be the address of a public server that answers without a redirect, by https';

type Headers = Readonly<Record<string, string>>;

/** The rules of MCP servers: where they may be, what becomes of their secrets, who approves tools. */
export function createMcpServerService({ db, servers, egress, box }: McpServerServiceOptions) {
  /** The headers as they are stored: `KEPT` keeps the value that there is. */
  function sealed(serverUuid: string, headers: Headers, current: SealedHeaders): SealedHeaders {
    const kept = Object.keys(headers).filter((name) => headers[name] === KEPT);
    const missing = kept.find((name) => current[name] === undefined);
    if (missing !== undefined) throw invalidField(`headers.${missing}`, 'has no value to keep');
    const fresh = Object.entries(headers).filter(([name]) => !kept.includes(name));
    const old = kept.map((name) => [name, current[name] ?? '']);
    return {
      ...(Object.fromEntries(old) as SealedHeaders),
      ...sealHeaders(box, serverUuid, Object.fromEntries(fresh)),
    };
  }

  /** Secrets do not follow a server to where someone else could read them. */
  function requireOwnSecrets(current: LockedServer, { url, headers }: McpServerChanges) {
    if (url === undefined || new URL(url).origin === new URL(current.url).origin) return;
    const carriedOver = headers ? Object.values(headers).includes(KEPT) : Object.keys(current.headers).length > 0;
    if (carriedOver) throw invalidField('headers', 'must be sent with their values when url leads to another origin');
  }

  return {
    /** Asks the network: not inside a transaction. @throws AppError validation_error naming url */
    async requireReachable(url: string): Promise<void> {
      try {
        await egress.checkReachable(url);
      } catch (error) {
        throw error instanceof EgressError ? invalidField('url', NOT_REACHABLE) : error;
      }
    },

    create(tx: Tx, caller: Caller, input: NewMcpServer): Promise<Versioned<McpServer>> {
      const id = newId();
      return servers.create(tx, caller, id, { ...input, headers: sealed(id, input.headers, {}) });
    },

    async change(tx: Tx, caller: Caller, target: Target, changes: McpServerChanges): Promise<Versioned<McpServer>> {
      const current = await servers.lock(tx, caller, target);
      requireOwnSecrets(current, changes);
      const { name, url, description, pin_tools, headers, status } = changes;
      return servers.change(tx, caller, current, {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(pin_tools !== undefined && { pin_tools }),
        ...(headers && { headers: sealed(current.id, headers, current.headers) }),
        ...(status !== undefined && status !== 'unreachable' && { status }),
      });
    },

    /** Attempts of others are recorded. @throws AppError forbidden */
    async requireAdmin(
      { roles }: Principal,
      { project, actor }: Caller,
      action: string,
      resource: string,
    ): Promise<void> {
      if (roles.includes('admin')) return;
      const entry = { actor, project, action, resource };
      await recordDenial(db, entry, 'not an admin');
      throw new AppError('forbidden');
    },
  };
}
export type McpServerService = ReturnType<typeof createMcpServerService>;
