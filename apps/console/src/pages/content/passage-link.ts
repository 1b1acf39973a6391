import { CHAT } from '../../api/roles.js';

const PATH = new RegExp(`^${CHAT}/passages/(ct_[0-9A-Za-z]+)$`);

/** Returns the id of the passage or content item to which a link in an answer leads; `undefined` for any other link. */
export function passageIn(href: string, origin: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.origin === origin ? PATH.exec(url.pathname)?.[1] : undefined;
}
