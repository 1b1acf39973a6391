/** A property of a tool's arguments that is mirrored in a header. */
interface Mirrored {
  path: string[];
  header: string;
}

const PREFIX = 'mcp-param-';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const PLAIN = /^[\x20-\x7e]+$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** 2026-07-28, "Custom headers from tool parameters": what of a call's arguments its headers say too. */
export function paramHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  return Object.fromEntries(
    mirrored(inputSchema).flatMap(({ path, header }) => {
      const value = text(path.reduce(memberOf, args));
      return value === undefined ? [] : [[`${PREFIX}${header.toLowerCase()}`, headerValue(value)]];
    }),
  );
}

/** 2026-07-28, "Encoding of header values". */
export function headerValue(value: string): string {
  if (PLAIN.test(value) && value === value.trim() && !ENCODED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function mirrored(schema: unknown, path: string[] = []): Mirrored[] {
  const { properties, 'x-mcp-header': header } = (schema ?? {}) as Record<string, unknown>;
  const own = typeof header === 'string' && TOKEN.test(header) ? [{ path, header }] : [];
  if (typeof properties !== 'object' || properties === null) return own;
  return [...own, ...Object.entries(properties).flatMap(([name, child]) => mirrored(child, [...path, name]))];
}

function memberOf(value: unknown, name: string): unknown {
  const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isHolder ? (value as Record<string, unknown>)[name] : undefined;
}

/** Only what has one spelling: no fraction, and no integer that another reader would round. */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}
