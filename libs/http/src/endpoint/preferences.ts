/** What a client prefers (RFC 7240), as far as it is known here. Others are ignored, as §2 requires. */
export interface Preferences {
  /** §4.1: to be answered before the work is done. */
  respondAsync: boolean;
  /** §4.3: seconds to wait for the work. */
  wait: number | undefined;
}

/** Reads a `Prefer` header. Of a preference that is repeated the first counts (§2); a value that is not of its form is ignored. */
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
