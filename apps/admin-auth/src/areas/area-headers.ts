import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { hopByHop } from '@millwright/http/upstream';

/**
 * Request headers that are not forwarded to services: credentials for the console, addresses of the client and of the page, and `Sec-*`
 * headers, in which the browser describes the request.
 */
const OURS =
  /^(host|cookie|authorization|api-key|origin|referer|forwarded|x-real-ip|sec-.*|x-forwarded-.*|x-millwright-.*)$/;

/** Builds the headers of the request to a service: the headers of the browser, with a token in place of the cookies. */
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

/**
 * Response headers of services that are not forwarded: they would set cookies at the console's origin, admit other origins or change the
 * console's content security policy.
 */
const THEIRS = /^(set-cookie|access-control-.*|content-security-policy.*|service-worker-allowed)$/;

/**
 * Builds the headers of the response to the browser. Services return files that users uploaded: scripts in these files must not
 * run at the console's origin.
 */
export function responseHeaders(received: IncomingHttpHeaders): OutgoingHttpHeaders {
  return {
    ...without(received, (name) => THEIRS.test(name)),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  };
}

function without(headers: IncomingHttpHeaders, isDropped: (name: string) => boolean): OutgoingHttpHeaders {
  const options = new Set((headers.connection ?? '').split(',').map((option) => option.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !options.has(name) && !isDropped(name)),
  );
}
