import { endpoint } from '@millwright/http';
import { pageNumber, pageSize, searchText } from '@millwright/records';
import { z } from 'zod';

export const Application = z.object({
  id: z.string(),
  client_id: z.string(),
  name: z.string(),
  kind: z.enum(['settings', 'registered', 'document']),
  owner: z
    .object({ id: z.string(), name: z.string(), email: z.string(), role: z.string() })
    .nullable()
    .meta({ description: 'Null for a client that registered itself' }),
  project: z.string().nullable(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  made_by_key: z.boolean().meta({
    description: "Whether a key made or changed it, not its owner in person: the owner's role does not vouch for it",
  }),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  approved_at: z.string().nullable(),
  approved_by: z.string().nullable().meta({ description: 'Name of the admin who approved it' }),
});

export const ListQuery = z.object({
  page: pageNumber,
  per_page: pageSize,
  /** Text that the name or the client id must contain. */
  search: searchText,
  approval: z.enum(['approved', 'unverified']).optional(),
});
export type ListQuery = z.output<typeof ListQuery>;

const params = z.object({ application_id: z.string() });
const base = { tag: 'Applications', access: { role: 'admin' }, limit: 'credential' } as const;

export const listApplications = endpoint({
  ...base,
  operationId: 'listApplications',
  method: 'GET',
  path: '/admin/api/applications',
  summary: 'OAuth clients of all users and those that registered themselves, without the revoked ones',
  query: ListQuery,
  success: {
    status: 200,
    description: 'Newest first. `unverified`: those about which the consent page warns other users',
    body: z.object({
      items: z.array(Application),
      total: z.int().meta({ description: 'At most 10,000: more are shown without being counted' }),
      page: z.int(),
      per_page: z.int(),
    }),
  },
  errors: ['validation_error'],
});

export const approveApplication = endpoint({
  ...base,
  access: { role: 'admin', fresh: true },
  grants: 'right',
  action: 'oauth_client.approve',
  operationId: 'approveApplication',
  method: 'POST',
  path: '/admin/api/applications/{application_id}/approve',
  summary: 'Vouch for an OAuth client: the consent page shows it as approved until it changes',
  params,
  success: { status: 204, description: 'It is approved as it is now' },
  errors: ['not_found', 'conflict'],
});

export const withdrawApplicationApproval = endpoint({
  ...base,
  grants: 'nothing',
  action: 'oauth_client.withdraw_approval',
  operationId: 'withdrawApplicationApproval',
  method: 'DELETE',
  path: '/admin/api/applications/{application_id}/approval',
  summary: 'Stop vouching for an OAuth client',
  params,
  success: { status: 204, description: 'The consent page shows it as not verified, unless an admin made it' },
  errors: ['not_found'],
});
