import { field } from '@millwright/config';
import { z } from 'zod';

const AAGUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Models of authenticators that may be enrolled, and the root certificates with which their manufacturers attest. When both settings are
 * empty, all models may be enrolled.
 */
export const attestationConfig = {
  PASSKEY_AAGUIDS: field
    .list(
      z
        .string()
        .toLowerCase()
        .refine((text) => AAGUID.test(text), 'must list AAGUIDs, which are UUIDs, separated by commas'),
    )
    .default([]),
  PASSKEY_ROOTS_FILE: z.string().optional(),
};
export type AttestationConfig = Readonly<z.output<z.ZodObject<typeof attestationConfig>>>;

/**
 * Reports a fault when only one of the two settings is present: without root certificates, an authenticator could claim to be any model.
 */
export function requireRoots(config: AttestationConfig, context: z.RefinementCtx): void {
  if (config.PASSKEY_AAGUIDS.length > 0 === (config.PASSKEY_ROOTS_FILE !== undefined)) return;
  const message = 'is required together with the other of PASSKEY_AAGUIDS and PASSKEY_ROOTS_FILE';
  const missing = config.PASSKEY_ROOTS_FILE === undefined ? 'PASSKEY_ROOTS_FILE' : 'PASSKEY_AAGUIDS';
  context.addIssue({ code: 'custom', path: [missing], message });
}
