import { createContext } from 'react';

/** Opens a link of an untrusted text within the page. `false`: the link opens in a new tab instead. */
export const LinkOpener = createContext<(href: string) => boolean>(() => false);
