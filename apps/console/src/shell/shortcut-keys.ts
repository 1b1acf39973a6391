/** Addresses of pages, by the key that opens the page after the key "g". */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  d: '/',
  a: '/build/agents',
  p: '/prompts',
  s: '/build/skills',
  m: '/build/mcp',
  c: '/talk',
  r: '/runs',
  i: '/inbox',
  u: '/access/users',
  l: '/audit',
};

export const pageOfKey = (key: string): string | undefined =>
  Object.hasOwn(PAGE_KEYS, key) ? PAGE_KEYS[key] : undefined;
