import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const Consent = z.object({
  id: z.string(),
  client_name: z.string(),
  client_id: z.string(),
  /** Of the client's id, where that is an address. */
  client_host: z.string().nullable(),
  scopes: z.array(z.string()),
  granted_at: z.string(),
});
export type Consent = z.output<typeof Consent>;

export const decideConsent = endpoint({
  operationId: 'decideConsent',
  method: 'POST',
  path: '/admin/api/consents',
  summary: 'Let an application in, or refuse it',
  tag: 'Consents',
  scope: null,
  limit: 'credential',
  body: z.strictObject({
    /** As `/admin/consent?request=` carries it. */
    request: z.string().max(200),
    decision: z.enum(['approve', 'deny']),
  }),
  success: { status: 200, description: 'Where the browser goes now', body: z.object({ location: z.string() }) },
  errors: ['unauthorized', 'not_found'],
});

export const listConsents = endpoint({
  operationId: 'listConsents',
  method: 'GET',
  path: '/admin/api/consents',
  summary: 'The applications that you let in',
  tag: 'Consents',
  scope: null,
  limit: 'credential',
  success: { status: 200, description: 'The latest first', body: z.object({ items: z.array(Consent) }) },
  errors: ['unauthorized'],
});

export const revokeConsent = endpoint({
  operationId: 'revokeConsent',
  method: 'DELETE',
  path: '/admin/api/consents/{consent_id}',
  summary: 'Shut an application out, with every token that it holds for you',
  tag: 'Consents',
  scope: null,
  limit: 'credential',
  params: z.object({ consent_id: z.string() }),
  success: { status: 204, description: 'Its tokens are refused from the next request on' },
  errors: ['unauthorized', 'not_found'],
});
