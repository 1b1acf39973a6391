import { isGrantableScope } from '@millwright/auth';
import { isKeyScope } from '@millwright/auth/key-scopes';
import { isToolEntry, MOST_TOOL_ENTRIES } from '@millwright/auth/tool-lists';
import { invalidField } from '@millwright/errors';
import { z } from 'zod';

const NAME_LENGTH = 'must be 1 to 200 characters';

const NAME_TEXT = 'must have no control characters and no line breaks';

/**
 * Display name of an account, key, client or token. Blanks around the name are removed. Control characters are refused,
 * because terminals interpret them.
 */
export const Name = z
  .string()
  .trim()
  .min(1, NAME_LENGTH)
  .max(200, NAME_LENGTH)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, NAME_TEXT);

const NOT_AN_EMAIL = 'is not an email address';
const PublicEmail = z.email().max(254);
/**
 * `admin@localhost`, the address of the account that a local installation creates. It is accepted separately, because its domain has no dot
 * and is therefore no public address.
 */
const LocalEmail = z.string().regex(/^[^@\s]{1,64}@localhost$/);

/** Email address of an account. Blanks around the address are removed. */
export const Email = z
  .string()
  .trim()
  .refine((text) => PublicEmail.safeParse(text).success || LocalEmail.safeParse(text).success, NOT_AN_EMAIL);

const scopesThat = (isAllowed: (scope: string) => boolean) =>
  z
    .array(
      z.string().refine(isAllowed, {
        error: ({ input }) =>
          `"${String(input)}" is not a scope${isKeyScope(String(input)) ? ' of OAuth clients' : ''}`,
      }),
    )
    .min(1, 'must name at least one scope')
    .readonly();

/** Scopes of an OAuth client. The code that issues the client checks which scopes its owner may have. */
export const ClientScopes = scopesThat(isGrantableScope);

/** Scopes of an API key. The code that issues the key checks which scopes its owner may have. */
export const KeyScopes = scopesThat((scope) => isGrantableScope(scope) || isKeyScope(scope));

/** Tools of MCP servers that a client may use. */
export const ToolEntries = z
  .array(
    z.string().refine(isToolEntry, {
      error: ({ input }) => `"${String(input)}" is not "*", "server/*" or "server/tool"`,
    }),
  )
  .max(MOST_TOOL_ENTRIES, `must have at most ${MOST_TOOL_ENTRIES}`)
  .readonly();

export const RedirectUris = z
  .array(
    z.string().refine(isRedirectUri, {
      error: ({ input }) => `"${String(input)}" is not an https or loopback http URL without fragment`,
    }),
  )
  .readonly();

/**
 * Parses a value with its schema.
 * @throws AppError validation_error with the field and the schema's first reason when the value does not fit the
 * schema.
 */
export function parseField<Schema extends z.ZodType>(
  field: string,
  schema: Schema,
  value: z.input<Schema>,
): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw invalidField(field, error.issues[0]?.message ?? 'is not valid');
  return data;
}

/**
 * Accepts https for every host, and http for loopback addresses only; no fragment and no user name (RFC 6749 §3.1.2,
 * RFC 8252 §7.3). Blanks, control characters and backslashes are refused: URL parsers correct them in different ways,
 * and redirect URIs are compared as texts.
 */
function isRedirectUri(text: string): boolean {
  if (text.length > 2_000 || !/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return false;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hash !== '' || text.includes('#') || url.username !== '' || url.password !== '') return false;
  const loopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback);
}
