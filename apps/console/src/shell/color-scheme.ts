import type { MantineColorSchemeManager } from '@mantine/core';

/** Deletes the cookie of an earlier release: its path is longer, so browsers would send it before the current cookie. */
function forgetOld(): void {
  document.cookie = 'theme=; Path=/admin; Max-Age=0; SameSite=Lax';
}

/** Stores the chosen theme in a cookie, so that the server renders every page, including the sign-in pages, in the right colours. */
export const colorSchemeCookie: MantineColorSchemeManager = {
  get(fallback) {
    const chosen = /(?:^|; )theme=(\w+)(?:;|$)/.exec(document.cookie)?.[1];
    return chosen === 'light' || chosen === 'dark' || chosen === 'auto' ? chosen : fallback;
  },
  set(value) {
    forgetOld();
    document.cookie = `theme=${value}; Path=/; Max-Age=31536000; SameSite=Lax`;
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear() {
    forgetOld();
    document.cookie = 'theme=; Path=/; Max-Age=0; SameSite=Lax';
  },
};
