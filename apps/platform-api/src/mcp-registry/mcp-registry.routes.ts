import type { EgressFetch } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './mcp-registry.contract.js';
import { createRegistryReader } from './read-registry.js';

/** @param url base address of the MCP registry; `undefined` when none is configured */
export function mcpRegistryRoutes(fetch: EgressFetch, url: string | undefined): Route[] {
  const readRegistry = url === undefined ? undefined : createRegistryReader(fetch, url);
  return [
    route(contract.getMcpRegistry, () => Promise.resolve({ body: { url: url ?? null } })),

    route(contract.searchMcpRegistry, async ({ caller, query }) => {
      if (!readRegistry) throw new AppError('not_found');
      return { body: await readRegistry(query, caller.project) };
    }),
  ];
}
