import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Person = z.object({ id: z.string(), name: z.string(), email: z.string() });

const PlatformAdminRequest = z.object({
  id: z.string(),
  user: Person,
  requested_by: Person,
  created_at: z.string(),
  expires_at: z.string(),
});
export type PlatformAdminRequest = z.output<typeof PlatformAdminRequest>;

const base = { tag: 'People', access: { role: 'platform_admin' }, limit: 'credential' } as const;
const power = { ...base, access: { role: 'platform_admin', fresh: true } } as const;
const params = z.object({ request_id: z.string() });

export const listRequests = endpoint({
  ...base,
  operationId: 'listPlatformAdminRequests',
  method: 'GET',
  path: '/admin/api/platform-admin-requests',
  summary: 'Requests to make a platform admin that wait for a second platform admin',
  success: {
    status: 200,
    description: 'The newest 100. `enabled`: whether requests can be made here, by SECURITY_PLATFORM_ADMIN_FOUR_EYES',
    body: z.object({ enabled: z.boolean(), items: z.array(PlatformAdminRequest) }),
  },
  errors: [],
});

export const createRequest = endpoint({
  ...power,
  operationId: 'requestPlatformAdmin',
  action: 'platform_admin.request',
  grants: 'right',
  method: 'POST',
  path: '/admin/api/users/{user_id}/platform-admin',
  summary: 'Request that an account becomes a platform admin; another platform admin confirms it within 24 hours',
  params: z.object({ user_id: z.string() }),
  success: { status: 201, description: 'It waits; every platform admin gets a message', body: PlatformAdminRequest },
  errors: ['not_found', 'conflict'],
});

export const confirmRequest = endpoint({
  ...power,
  operationId: 'confirmPlatformAdmin',
  action: 'platform_admin.confirm',
  grants: 'right',
  method: 'POST',
  path: '/admin/api/platform-admin-requests/{request_id}/confirm',
  summary: 'Make the account a platform admin: neither the requester nor the account itself can',
  params,
  success: { status: 204, description: 'It counts from the next request of the account on' },
  errors: ['not_found', 'conflict'],
});

export const refuseRequest = endpoint({
  ...power,
  operationId: 'refusePlatformAdmin',
  action: 'platform_admin.refuse',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/api/platform-admin-requests/{request_id}/refuse',
  summary: 'Refuse a request, or withdraw an own one',
  params,
  success: { status: 204, description: 'It is over' },
  errors: ['not_found', 'conflict'],
});
