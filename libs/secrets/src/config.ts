import { field } from '@millwright/config';
import { z } from 'zod';
import { parseSecretKey, type SecretKey } from './secret-box.js';

const secretKey = z.string().transform((text, context): SecretKey => {
  const key = parseSecretKey(text);
  if (key) return key;
  context.addIssue({ code: 'custom', message: 'must list id:key, separated by commas, each key 32 bytes in base64' });
  return z.NEVER;
});

/** Settings for the config schema of an app that stores or uses secrets of upstreams. */
export const secretsConfig = {
  SECRETS_KEYS: field.list(secretKey).superRefine((keys, context) => {
    const names = new Set(keys.map(({ id }) => id));
    if (keys.length === 0) context.addIssue({ code: 'custom', message: 'must list a key' });
    if (names.size < keys.length) context.addIssue({ code: 'custom', message: 'must not use an id twice' });
  }),
};
