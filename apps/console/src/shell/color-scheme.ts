import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

/** A cookie keeps the choice, so that the server sends the page in the right colours already. */
export const colorSchemeCookie: MantineColorSchemeManager = {
  get(fallback) {
    const chosen = /(?:^|; )theme=(light|dark|auto)(?:;|$)/.exec(document.cookie)?.[1];
    return (chosen as MantineColorScheme | undefined) ?? fallback;
  },
  set(value) {
    document.cookie = `theme=${value}; Path=/; Max-Age=31536000; SameSite=Lax`;
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear() {
    document.cookie = 'theme=; Path=/; Max-Age=0; SameSite=Lax';
  },
};
