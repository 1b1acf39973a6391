import { z } from 'zod';

const TokenHeader = z.object({
  alg: z.literal('ES256'),
  typ: z.enum(['at+jwt', 'JWT']),
  kid: z.string().min(1).max(200),
  crit: z.never().optional(),
});

/**
 * Returns the key id of a token of the given type; the default is an access token. Headers with keys (`jku`, `jwk`,
 * `x5c`) are ignored.
 */
export function kidOf(token: string, typ: z.output<typeof TokenHeader>['typ'] = 'at+jwt'): string | undefined {
  const parts = token.split('.');
  // Requires the only canonical spelling of each part. Decoders ignore bits beyond the last byte, so without this check
  // a changed token would be accepted.
  const canonical = parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
  if (parts.length !== 3 || !canonical) return undefined;
  try {
    const header: unknown = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString('utf8'));
    const { data } = TokenHeader.safeParse(header);
    return data?.typ === typ ? data.kid : undefined;
  } catch {
    return undefined;
  }
}
