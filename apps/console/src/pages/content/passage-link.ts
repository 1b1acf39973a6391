import { CHAT } from '../../api/roles.js';

const PATH = new RegExp(`^${CHAT}/passages/(ct_[0-9A-Za-z]+)$`);

/** The id of the passage or content item that a link of an answer cites; `undefined` for a link to anything else. */
export function passageIn(href: string, origin: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.origin === origin ? PATH.exec(url.pathname)?.[1] : undefined;
}
