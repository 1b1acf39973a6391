/** A placeholder origin, because only the path counts; `.invalid` is never a host (RFC 2606 §2). */
const BASE = 'https://console.invalid';

/**
 * Returns the address to open after a sign-in: a path on this origin below `/admin`, `/chat` or `/bridge-auth`, in its normal form. Returns
 * `undefined` for every other text, even if it looks like such a path.
 */
export function redirectTarget(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 2_000 || !/^\/(admin|chat|bridge-auth)(?![\w-])/.test(text))
    return undefined;
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\') || !URL.canParse(text, BASE)) return undefined;
  const url = new URL(text, BASE);
  const isOurs = /^\/((admin|chat)($|\/(?!\/))|bridge-auth\/(?!\/))/.test(url.pathname);
  return url.origin === BASE && isOurs ? `${url.pathname}${url.search}${url.hash}` : undefined;
}
