import { ADMIN_SCOPES } from '@millwright/auth';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const Consent = z.object({
  id: z.string(),
  client_name: z.string(),
  client_id: z.string(),
  /** Host of the client id, when the client id is a URL. */
  client_host: z.string().nullable(),
  scopes: z.array(z.string()),
  granted_at: z.string(),
});
export type Consent = z.output<typeof Consent>;

export const decideConsent = endpoint({
  operationId: 'decideConsent',
  grants: 'right',
  method: 'POST',
  path: '/admin/api/consents',
  summary: 'Let an application in, or refuse it',
  tag: 'Consents',
  access: 'session',
  limit: 'credential',
  body: z.strictObject({
    /** The parameter of `/admin/consent?request=`. */
    request: z.string().max(200),
    decision: z.enum(['approve', 'deny']),
    /** Scopes for administrators that the user selected. Such a scope is granted only when this list contains it. */
    admin_scopes: z.array(z.enum(ADMIN_SCOPES)).max(ADMIN_SCOPES.length).default([]),
  }),
  success: { status: 200, description: 'Where the browser goes now', body: z.object({ location: z.string() }) },
  errors: ['not_found', 'step_up_required'],
});

export const listConsents = endpoint({
  operationId: 'listConsents',
  method: 'GET',
  path: '/admin/api/consents',
  summary: 'The applications that you let in',
  tag: 'Consents',
  access: { role: 'user' },
  limit: 'credential',
  success: { status: 200, description: 'The latest first', body: z.object({ items: z.array(Consent) }) },
  errors: [],
});

export const revokeConsent = endpoint({
  operationId: 'revokeConsent',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/consents/{consent_id}',
  summary: 'Shut an application out, with every token that it holds for you',
  tag: 'Consents',
  access: { role: 'user' },
  limit: 'credential',
  params: z.object({ consent_id: z.string() }),
  success: { status: 204, description: 'Its tokens are refused from the next request on' },
  errors: ['not_found'],
});
