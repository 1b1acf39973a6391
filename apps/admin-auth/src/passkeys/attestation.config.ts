import { field } from '@millwright/config';
import { z } from 'zod';

const AAGUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Models of authenticators that may be enrolled, and the root certificates of their manufacturers' attestations. Empty: all models. */
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

/** Requires both settings or neither, because without root certificates an authenticator can claim to be any model. */
export function requireRoots(config: AttestationConfig, context: z.RefinementCtx): void {
  if (config.PASSKEY_AAGUIDS.length > 0 === (config.PASSKEY_ROOTS_FILE !== undefined)) return;
  const message = 'is required together with the other of PASSKEY_AAGUIDS and PASSKEY_ROOTS_FILE';
  const missing = config.PASSKEY_ROOTS_FILE === undefined ? 'PASSKEY_ROOTS_FILE' : 'PASSKEY_AAGUIDS';
  context.addIssue({ code: 'custom', path: [missing], message });
}
