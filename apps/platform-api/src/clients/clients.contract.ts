import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Client = z.object({
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  mcp_tools: z
    .array(z.string())
    .meta({ description: 'Tools of MCP servers that it may use: `*`, `server/*` or `server/tool`' }),
  project: ProjectId,
  created_at: z.string(),
  expires_at: z
    .string()
    .nullable()
    .meta({ description: 'When the client and its tokens end, unless it is rotated; null: never' }),
  last_used_at: z.string().nullable(),
});

/** Only the answers to the requests that make and rotate the client contain the secret. */
const IssuedClient = Client.extend({ client_secret: z.string() });

const expires_in_days = z.int().min(1).max(3_650).nullable().optional().meta({
  description: 'Null: no expiry. It ends no later than the key of the request; when left out, with that key',
});
const fields = {
  name: z.string().trim().min(1).max(200),
  redirect_uris: z.array(z.string().max(2_000)).max(20).meta({
    description: 'https anywhere, http on loopback addresses. None for a client that only uses its own grant',
  }),
  mcp_tools: z.array(z.string().max(250)).max(200),
};

export const NewClient = z.strictObject({
  ...fields,
  redirect_uris: fields.redirect_uris.default([]),
  mcp_tools: fields.mcp_tools.optional(),
  scopes: z
    .array(z.string().max(100))
    .min(1)
    .max(100)
    .meta({ description: 'Scopes of the key of the request, by name; never `*` or those of keys and admins' }),
  expires_in_days,
});

const base = { tag: 'Clients', limit: 'credential' } as const;
const one = { params: z.object({ client_id: z.string() }), path: '/api/v1/clients/{client_id}' } as const;

export const listClients = endpoint({
  ...base,
  operationId: 'listClients',
  access: { scope: 'keys:read' },
  method: 'GET',
  path: '/api/v1/clients',
  summary: "List the owner's OAuth clients of the project",
  success: {
    status: 200,
    description: 'Newest first, without revoked ones',
    body: z.object({ items: z.array(Client) }),
  },
  errors: [],
});

export const createClient = endpoint({
  ...base,
  operationId: 'createClient',
  access: { scope: 'keys:write' },
  grants: 'credential',
  action: 'oauth_client.create',
  method: 'POST',
  path: '/api/v1/clients',
  summary: 'Make an OAuth client with at most the rights of the key of the request. The answer has the secret, once.',
  description: 'The client has the same owner and project as the key. It works on when the key is revoked.',
  body: NewClient,
  success: { status: 201, description: 'The new client', body: IssuedClient },
  errors: ['conflict'],
});

export const getClient = endpoint({
  ...base,
  ...one,
  operationId: 'getClient',
  access: { scope: 'keys:read' },
  method: 'GET',
  summary: "Read one of the owner's OAuth clients of the project",
  success: { status: 200, description: 'The client', body: Client },
  errors: [],
});

export const updateClient = endpoint({
  ...base,
  ...one,
  operationId: 'updateClient',
  access: { scope: 'keys:write' },
  grants: 'right',
  action: 'oauth_client.update',
  method: 'PATCH',
  summary: 'Change the name, the redirect URIs or the tools of an OAuth client that has no more rights than the key',
  body: z.strictObject(fields).partial(),
  success: { status: 200, description: 'The client', body: Client },
  errors: ['conflict'],
});

export const rotateClient = endpoint({
  ...base,
  path: '/api/v1/clients/{client_id}/rotate-secret',
  params: one.params,
  operationId: 'rotateClientSecret',
  access: { scope: 'keys:write' },
  grants: 'credential',
  action: 'oauth_client.rotate',
  method: 'POST',
  summary: 'Give an OAuth client that has no more rights than the key a new secret and a new expiry',
  description: 'The answer has the secret, once. The former secret works on for `overlap_hours`.',
  body: z.strictObject({
    overlap_hours: z.int().min(0).max(720).default(24).meta({ description: '0 ends the former secret at once' }),
    expires_in_days,
  }),
  success: { status: 200, description: 'The client with its new secret', body: IssuedClient },
  errors: ['conflict'],
});

export const revokeClient = endpoint({
  ...base,
  ...one,
  operationId: 'revokeClient',
  access: { scope: 'keys:write' },
  grants: 'nothing',
  action: 'oauth_client.revoke',
  method: 'DELETE',
  summary: "Revoke one of the owner's OAuth clients of the project, with everything it was granted",
  success: { status: 204, description: 'It and its tokens are refused from the next request on' },
  errors: [],
});
