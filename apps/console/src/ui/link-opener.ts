import { createContext } from 'react';

/** Function that opens a link of an untrusted text within the page. If it returns false, the link opens in a new tab. */
export const LinkOpener = createContext<(href: string) => boolean>(() => false);
