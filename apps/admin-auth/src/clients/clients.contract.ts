import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Overlap, Scopes } from '../api-keys/api-keys.contract.js';

const Client = z.object({
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  mcp_tools: z
    .array(z.string())
    .meta({ description: 'Tools of MCP servers that it may use: *, server/* or server/tool' }),
  project: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable().meta({ description: 'When a client that a key made ends; null: never' }),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
const IssuedClient = Client.extend({ client_secret: z.string() });

const name = z.string().trim().min(1).max(200);
const redirect_uris = z.array(z.string().max(2_000)).max(20);

const mcp_tools = z.array(z.string().max(250)).max(200);

const params = z.object({ client_id: z.string() });
const base = { tag: 'Clients', access: { role: 'user' }, limit: 'credential' } as const;

export const listClients = endpoint({
  ...base,
  operationId: 'listClients',
  method: 'GET',
  path: '/admin/api/clients',
  summary: 'Own OAuth clients',
  success: { status: 200, description: 'Newest first', body: z.object({ items: z.array(Client) }) },
  errors: [],
});

export const createClient = endpoint({
  ...base,
  operationId: 'createClient',
  grants: 'credential',
  access: { role: 'user', fresh: true },
  action: 'oauth_client.create',
  method: 'POST',
  path: '/admin/api/clients',
  summary: 'Make an OAuth client',
  body: z.strictObject({
    name,
    redirect_uris,
    scopes: Scopes.optional(),
    mcp_tools: mcp_tools.optional(),
    project: ProjectId.optional(),
  }),
  success: { status: 201, description: 'The client, with its secret this once', body: IssuedClient },
  errors: ['conflict', 'validation_error'],
});

export const updateClient = endpoint({
  ...base,
  operationId: 'updateClient',
  grants: 'right',
  access: { role: 'user', fresh: true },
  action: 'oauth_client.update',
  method: 'PATCH',
  path: '/admin/api/clients/{client_id}',
  summary: 'Change the name, the redirect URIs or the tools of an own client',
  params,
  body: z.strictObject({ name, redirect_uris, mcp_tools }).partial(),
  success: { status: 200, description: 'The client', body: Client },
  errors: ['not_found', 'conflict', 'validation_error'],
});

export const rotateClient = endpoint({
  ...base,
  operationId: 'rotateClient',
  grants: 'credential',
  access: { role: 'user', fresh: true },
  action: 'oauth_client.rotate',
  method: 'POST',
  path: '/admin/api/clients/{client_id}/rotate',
  summary: 'Make a new secret, beside which the old one works on for a while',
  params,
  body: Overlap,
  success: { status: 200, description: 'The client, with its new secret this once', body: IssuedClient },
  errors: ['not_found', 'conflict', 'validation_error'],
});

export const revokeClient = endpoint({
  ...base,
  operationId: 'revokeClient',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/clients/{client_id}',
  summary: 'Revoke an own client with everything it was granted',
  params,
  success: { status: 204, description: 'It is refused from the next request on' },
  errors: ['not_found'],
});
