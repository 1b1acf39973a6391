import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

/** It was for the console's own path once, and browsers put the longer path first. */
function forgetOld(): void {
  document.cookie = 'theme=; Path=/admin; Max-Age=0; SameSite=Lax';
}

/** A cookie keeps the choice, so that the server sends the page in the right colours already: those of sign-in and the device link too. */
export const colorSchemeCookie: MantineColorSchemeManager = {
  get(fallback) {
    const chosen = /(?:^|; )theme=(light|dark|auto)(?:;|$)/.exec(document.cookie)?.[1];
    return (chosen as MantineColorScheme | undefined) ?? fallback;
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
