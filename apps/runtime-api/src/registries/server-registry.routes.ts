import type { Project } from '@millwright/auth';
import { allowsTool, type ToolList } from '@millwright/auth/tool-lists';
import type { Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { serviceVersion } from '@millwright/http/process';
import { pageOfActiveServers, type ServerPageRow } from '@millwright/mcp';
import { isIP } from 'node:net';
import { BUILTIN } from '../tools/builtin-names.js';
import { endpointOf } from '../mcp/endpoint/mcp-call.js';
import {
  getServerEntry,
  listServerEntries,
  listServerEntryVersions,
  MOST_CHARACTERS,
  REGISTRY_META,
  type ServerEntry,
  type ServerList,
  type ServerListQuery,
} from './server-registry.contract.js';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** The version of a server in the registry. It begins with 1.0.0, and each change of the record increments the last number. */
const versionOf = (recordVersion: number) => `1.0.${recordVersion - 1}`;

const shortened = (text: string) =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).trimEnd()}…`;

/** The prefix of registry names: the host name with its labels in reverse order. An IP address is used unchanged. */
export function namespaceOf(runtimeUrl: string): string {
  const host = new URL(runtimeUrl).hostname.replaceAll(/[[\]]/g, '');
  return isIP(host) ? host.replaceAll(':', '-') : host.split('.').reverse().join('.');
}

/** The registry's read API for a project's active servers and the built-in server (MCP registry API v0.1). */
export function serverRegistryRoutes(db: Database, runtimeUrl: string): Route[] {
  const namespace = namespaceOf(runtimeUrl);
  const slugOf = (name: string) => (name.startsWith(`${namespace}/`) ? name.slice(namespace.length + 1) : undefined);

  const builtin: ServerEntry = entry({
    slug: BUILTIN,
    title: 'Millwright',
    description: "The project's agents, skills and content as tools, prompts and resources.",
    version: serviceVersion,
    dates: {},
  });

  function entry({ slug, title, description, version, dates }: EntryFields): ServerEntry {
    const remotes = [{ type: 'streamable-http' as const, url: endpointOf(runtimeUrl, slug) }];
    return {
      server: {
        $schema: SCHEMA,
        name: `${namespace}/${slug}`,
        title: shortened(title),
        description: shortened(description),
        version,
        remotes,
      },
      _meta: { [REGISTRY_META]: { status: 'active', ...dates, isLatest: true } },
    };
  }

  function entryOf(row: ServerPageRow, mcpTools: ToolList | undefined): ServerEntry {
    const { slug, name, description, version, created_at, updated_at } = row;
    const tools = row.tools.filter((tool) => allowsTool([mcpTools], slug, tool));
    return entry({
      slug,
      title: name,
      description: description || (tools.length > 0 ? `Tools: ${tools.join(', ')}` : name),
      version: versionOf(version),
      dates: { publishedAt: created_at.toISOString(), updatedAt: updated_at.toISOString() },
    });
  }

  async function list(project: Project, mcpTools: ToolList | undefined, query: ServerListQuery): Promise<ServerList> {
    const { limit, cursor, search, updated_since, version } = query;
    const last = cursor === undefined ? undefined : slugOf(cursor);
    if (cursor !== undefined && last === undefined) throw invalidField('cursor', 'is not a cursor of this list');
    const isBuiltin = `${BUILTIN} ${builtin.server.title}`.toLowerCase().includes(search?.toLowerCase() ?? '');
    const isVersion = ({ server }: ServerEntry) =>
      version === undefined || version === 'latest' || server.version === version;
    const first = cursor === undefined && updated_since === undefined && isBuiltin ? [builtin] : [];
    const rows = await pageOfActiveServers(db, project, {
      after: last === BUILTIN ? undefined : last,
      search,
      updatedSince: updated_since,
      limit: limit + 1 - first.length,
    });
    const found = [...first, ...rows.map((row) => entryOf(row, mcpTools))];
    const page = found.slice(0, limit);
    const servers = page.filter(isVersion);
    const next = found.length > limit ? page.at(-1)?.server.name : undefined;
    return { servers, metadata: { count: servers.length, ...(next !== undefined && { nextCursor: next }) } };
  }

  /** Finds an active server by its registry name. @throws AppError not_found when the project has no such server */
  async function find(project: Project, mcpTools: ToolList | undefined, name: string): Promise<ServerEntry> {
    const slug = slugOf(name);
    if (slug === BUILTIN) return builtin;
    const [row] = slug === undefined ? [] : await pageOfActiveServers(db, project, { slug, limit: 1 });
    if (!row) throw new AppError('not_found');
    return entryOf(row, mcpTools);
  }

  return [
    route(listServerEntries, async ({ caller, principal, query }) => ({
      body: await list(caller.project, principal.mcpTools, query),
    })),
    route(listServerEntryVersions, async ({ caller, principal, params }) => {
      const found = await find(caller.project, principal.mcpTools, params.server_name);
      return { body: { servers: [found], metadata: { count: 1 } } };
    }),
    route(getServerEntry, async ({ caller, principal, params: { server_name, version } }) => {
      const found = await find(caller.project, principal.mcpTools, server_name);
      if (version !== 'latest' && version !== found.server.version) throw new AppError('not_found');
      return { body: found };
    }),
  ];
}

interface EntryFields {
  slug: string;
  title: string;
  description: string;
  version: string;
  dates: { publishedAt?: string; updatedAt?: string };
}
