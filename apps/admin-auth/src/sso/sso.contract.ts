import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Issuer = z.object({ issuer: z.string().meta({ description: 'Name of the identity provider in `SSO_FILE`.' }) });
const Return = z.object({
  redirect: z
    .string()
    .meta({ description: 'Page of the console to return to; `/admin` for other addresses.' })
    .optional(),
});

export const beginSso = endpoint({
  operationId: 'beginSso',
  method: 'GET',
  path: '/admin/sso/{issuer}',
  summary: 'Begin single sign-on',
  description:
    'Sends the browser to the identity provider (OpenID Connect Core 1.0 §3.1.2.1, with PKCE, state and nonce)',
  tag: 'Sign-in',
  access: 'public',
  limit: 'sign-in',
  params: Issuer,
  query: Return,
  success: { status: 303, description: 'To the identity provider' },
  errors: [],
});

export const finishSso = endpoint({
  operationId: 'finishSso',
  method: 'GET',
  path: '/admin/sso/{issuer}/callback',
  summary: 'Finish single sign-on, or a recent proof by it',
  description:
    'The redirect URI of the identity provider: takes the answer to a request of the same browser, once (OpenID Connect Core 1.0 §3.1.2.5, RFC 9207)',
  tag: 'Sign-in',
  access: 'public',
  limit: 'sign-in',
  params: Issuer,
  query: z.looseObject({
    state: z.string().meta({ description: 'State of the request that is answered.' }).optional(),
    code: z.string().meta({ description: 'Authorization code.' }).optional(),
    iss: z.string().meta({ description: 'Issuer that answers.' }).optional(),
    error: z.string().meta({ description: 'Refusal of the identity provider.' }).optional(),
  }),
  success: { status: 303, description: 'To the page that the sign-in began at, with the cookies of a session' },
  errors: ['bad_request', 'unauthorized', 'forbidden', 'conflict', 'validation_error'],
});

export const confirmSso = endpoint({
  operationId: 'confirmSso',
  method: 'GET',
  path: '/admin/sso/confirm',
  summary: 'Begin a recent proof at the identity provider of the session',
  description: 'Replaces the proof by passkey for a session that single sign-on has opened',
  tag: 'Step-up',
  access: 'session',
  limit: 'credential',
  query: Return,
  success: { status: 303, description: 'To the identity provider' },
  errors: ['not_found'],
});

export const endSsoSessions = endpoint({
  operationId: 'endSsoSessions',
  method: 'POST',
  path: '/admin/sso/{issuer}/backchannel-logout',
  summary: 'End sessions that ended at the identity provider',
  description: 'OpenID Connect Back-Channel Logout 1.0 §2.5: the signed logout token, used once, is the proof',
  tag: 'Sign-in',
  access: 'public',
  grants: 'nothing',
  limit: 'public',
  params: Issuer,
  body: z.object({ logout_token: z.string().meta({ description: 'JWT signed by the identity provider.' }) }),
  oauth: true,
  success: { status: 200, description: 'The sessions have ended', body: z.object({}) },
  errors: [],
});

/** The endpoints of single sign-on. A browser that fails at one of them gets a page. */
export const ssoContracts = [beginSso, finishSso, confirmSso, endSsoSessions] as const;
