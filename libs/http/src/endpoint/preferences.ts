/** Supported preferences of a client (RFC 7240). Other preferences are ignored, as §2 requires. */
export interface Preferences {
  /** `respond-async` (§4.1): answer before the work is done. */
  respondAsync: boolean;
  /** `wait` (§4.3): seconds to wait for the work. */
  wait: number | undefined;
}

/**
 * Parses a `Prefer` header. When a preference is repeated, the first one applies (§2). Malformed values are ignored.
 */
export function preferencesOf(header = ''): Preferences {
  const preferences = new Map<string, string>();
  for (const part of header.split(',')) {
    const [preference = ''] = part.split(';');
    const [name = '', value = ''] = preference.split('=').map((text) => text.trim());
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  const wait = preferences.get('wait') ?? '';
  return {
    respondAsync: preferences.has('respond-async'),
    wait: /^\d{1,9}$/.test(wait) ? Number(wait) : undefined,
  };
}
