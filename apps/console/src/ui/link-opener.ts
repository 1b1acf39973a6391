import { createContext } from 'react';

/** Opens a link in an untrusted text within the page. Returns false if it did not; the link then opens in a new tab. */
export const LinkOpener = createContext<(href: string) => boolean>(() => false);
