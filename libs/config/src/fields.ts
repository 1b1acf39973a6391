import { z } from 'zod';

/** Makes a schema that fails with `reason`, a description of valid values. */
function checked<T>(reason: string, parse: (text: string) => T | undefined) {
  return z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: reason });
    return z.NEVER;
  });
}

function integerBetween(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

/** Makes a schema for a whole number within `min` and `max`, both included. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  checked(`must be a whole number from ${min} to ${max}`, integerBetween(min, max));

/** Makes a schema for a TCP port. 0 lets the operating system choose. */
export const port = () => integer(0, 65_535);

/** Makes a schema for a positive number. Fractions are allowed. */
export const positiveNumber = () =>
  checked('must be a number above 0', (text) => {
    const value = Number(text);
    return Number.isFinite(value) && value > 0 ? value : undefined;
  });

/** Makes a schema for a setting that is `true` or `false`, also written `1` or `0`. */
export const flag = () =>
  checked('must be true or false', (text) => {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    return undefined;
  });

function parseUrl(text: string, protocols: readonly string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && protocols.includes(url.protocol) ? url : undefined;
}

/** Makes a schema for an absolute URL with one of these protocols (default: `http:` and `https:`). The URL is returned as it is written. */
export const url = (protocols: readonly string[] = ['http:', 'https:']) =>
  checked(`must be an absolute URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`, (text) =>
    parseUrl(text, protocols) ? text : undefined,
  );

/** Makes a schema for a base address: scheme, host and port only. The address is returned without a trailing slash. */
export const baseUrl = () =>
  checked('must be a base address such as https://example.com, without path, query or user', (text) => {
    const parsed = parseUrl(text, ['http:', 'https:']);
    return parsed && parsed.href === `${parsed.origin}/` ? parsed.origin : undefined;
  });

/** Makes a schema for an address to which paths are appended. The address is returned without a trailing slash. */
export const addressPrefix = () =>
  checked('must be an address such as https://example.com/registry, without query, fragment or user', (text) => {
    const parsed = parseUrl(text, ['http:', 'https:']);
    const isPlain = parsed?.href === `${parsed?.origin}${parsed?.pathname}` && !/[?#]/.test(text);
    return parsed && isPlain ? parsed.href.replace(/\/+$/, '') : undefined;
  });

/** Makes a schema for a comma-separated list. Blanks around entries and empty entries are dropped. */
export const list = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .pipe(z.array(item));

export const logLevel = () =>
  checked('must be one of trace, debug, info, warn, error, fatal, silent', (text) =>
    (['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const).find((level) => level === text),
  );
