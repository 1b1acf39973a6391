import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { hopByHop } from '@millwright/http';

/** The browser's credentials, and what it says of itself to this origin. */
const OURS =
  /^(host|cookie|authorization|api-key|origin|referer|forwarded|x-real-ip|sec-.*|x-forwarded-.*|x-millwright-.*)$/;

/** What an area is told: the request as it is, by our word for who asks. */
export function requestHeaders(
  received: IncomingHttpHeaders,
  ours: { host: string; token: string; requestId: string; ip: string },
): OutgoingHttpHeaders {
  return {
    ...without(received, (name) => OURS.test(name)),
    host: ours.host,
    authorization: `Bearer ${ours.token}`,
    'x-request-id': ours.requestId,
    'x-forwarded-for': ours.ip,
  };
}

/** An area sets no cookies here and lets no other origin read. */
const THEIRS = /^(set-cookie|access-control-.*|content-security-policy.*)$/;

/**
 * What the browser is told. Areas serve what users uploaded: shown at the console's origin, it must run nothing there.
 */
export function responseHeaders(received: IncomingHttpHeaders): OutgoingHttpHeaders {
  return {
    ...without(received, (name) => THEIRS.test(name)),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
}

function without(headers: IncomingHttpHeaders, isDropped: (name: string) => boolean): OutgoingHttpHeaders {
  const options = new Set((headers.connection ?? '').split(',').map((option) => option.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !options.has(name) && !isDropped(name)),
  );
}
