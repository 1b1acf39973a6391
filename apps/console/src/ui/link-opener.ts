import { createContext } from 'react';

/** Opens the address of a link of an untrusted text in place. False: the link opens in a new tab. */
export const LinkOpener = createContext<(href: string) => boolean>(() => false);
