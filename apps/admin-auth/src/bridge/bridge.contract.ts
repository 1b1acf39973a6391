import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** Visible text: no control, format or unassigned characters. */
export const DeviceName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u);
const Pat = z.string().max(200);

const bridge = { tag: 'Device bridge', access: 'public', limit: 'public' } as const;

export const redeemCode = endpoint({
  ...bridge,
  operationId: 'redeemDeviceCode',
  grants: 'credential',
  method: 'POST',
  path: '/bridge-auth/session',
  summary: 'Make a device-link code a bridge credential',
  body: z.strictObject({
    code: z
      .string()
      .trim()
      .regex(/^[0-9a-f]{64}$/),
    code_verifier: z
      .string()
      .regex(/^[\w.~-]{43,128}$/)
      .optional(),
    device_name: DeviceName,
    /** Public key on the curve P-256, as PEM (SubjectPublicKeyInfo) or as JWK. */
    public_key: z.union([z.string().max(1_000), z.record(z.string(), z.unknown())]),
  }),
  success: {
    status: 200,
    description: 'The token, in this answer once, and the certificate of the key',
    body: z.object({ pat: z.string(), device_certificate: z.string(), expires_at: z.string() }),
  },
  errors: ['unauthorized', 'rate_limited'],
});

export const createNonce = endpoint({
  ...bridge,
  operationId: 'createDeviceNonce',
  grants: 'nothing',
  method: 'POST',
  path: '/bridge-auth/nonce',
  summary: 'A text for the device to sign, good once, for a minute',
  body: z.strictObject({ pat: Pat }),
  success: { status: 200, description: 'The nonce', body: z.object({ nonce: z.string(), expires_at: z.string() }) },
  errors: ['unauthorized'],
});

export const mintToken = endpoint({
  ...bridge,
  operationId: 'mintGatewayToken',
  grants: 'credential',
  method: 'POST',
  path: '/bridge-auth/token',
  summary: 'Create a gateway token for the platform, runtime and prompt APIs',
  body: z.strictObject({
    pat: Pat,
    nonce: z.string().max(200),
    /** Signature of the nonce's text with the device's key: ECDSA with SHA-256, as DER or as r and s, in base64url. */
    signature: z.string().regex(/^[\w+/=-]{1,200}$/),
  }),
  success: {
    status: 200,
    description: 'A JWT, good for an hour',
    body: z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() }),
  },
  errors: ['unauthorized'],
});

const own = { tag: 'Profile', access: { role: 'user' }, limit: 'credential' } as const;

export const listDevices = endpoint({
  ...own,
  operationId: 'listDevices',
  method: 'GET',
  path: '/admin/api/devices',
  summary: 'Own devices',
  success: {
    status: 200,
    description: 'Newest first',
    body: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          device_name: z.string(),
          created_at: z.string(),
          last_used_at: z.string().nullable(),
          expires_at: z.string(),
          revoked_at: z.string().nullable(),
        }),
      ),
    }),
  },
  errors: [],
});

export const revokeDevice = endpoint({
  ...own,
  operationId: 'revokeDevice',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/devices/{device_id}',
  summary: 'End an own device',
  params: z.object({ device_id: z.string() }),
  success: { status: 204, description: 'It mints no token any more' },
  errors: ['not_found'],
});

export const createDeviceCode = endpoint({
  ...own,
  operationId: 'createDeviceCode',
  grants: 'credential',
  access: { role: 'user', fresh: true },
  action: 'device_code.create',
  method: 'POST',
  path: '/admin/api/devices/code',
  summary: 'A code for a device without a browser, after a fresh proof',
  body: z.strictObject({ device_name: DeviceName.optional(), project: ProjectId.optional() }),
  bodyOptional: true,
  success: {
    status: 201,
    description: 'Good once, for ten minutes',
    body: z.object({ code: z.string(), expires_at: z.string() }),
  },
  errors: ['forbidden'],
});
