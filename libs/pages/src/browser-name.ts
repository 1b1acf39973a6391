const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bLinux\b/, 'Linux'],
];

const match = (table: readonly (readonly [RegExp, string])[], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1];

/** A browser's common name: "Firefox on Linux". Other user agents are returned unchanged. */
export function browserName(userAgent: string): string {
  const browser = match(BROWSERS, userAgent);
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent.slice(0, 60);
  const system = match(SYSTEMS, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}
