import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hopByHop } from '@millwright/http/upstream';
import { traceHeaders } from '@millwright/telemetry';
import type { Base } from './bases.js';

/** Headers in which proxies state a caller, a path or a host. The gateway removes these headers, because any caller can send them. */
const vouching = new Set(['forwarded', 'remote-user', 'true-client-ip', 'cf-connecting-ip', 'fastly-client-ip']);
const vouchingPrefix =
  /^x-(?:forwarded|user|remote|real|auth-request|authenticated|original|rewrite|client|cluster-client|envoy|ssl|host|scheme|http-method-override|middleware)(?:-|$)/;

/** Prepares a request's headers for the service: removes the headers that callers may not set and adds the gateway's own. */
export function rewriteRequestHeaders(
  request: IncomingMessage,
  base: Base,
  requestId: string,
  trustedHops: number,
): void {
  const { headers } = request;
  const client = clientAddress(request, trustedHops);
  for (const name of connectionOptions(headers)) drop(headers, name);
  for (const name in headers) {
    if (hopByHop.has(name) || vouching.has(name) || vouchingPrefix.test(name)) drop(headers, name);
  }
  headers.host = base.host;
  headers['x-request-id'] = requestId;
  headers['x-forwarded-for'] = client;
  headers['x-forwarded-proto'] = base.protocol;
  headers['x-forwarded-host'] = base.host;
  headers['x-forwarded-port'] = base.port;
  Object.assign(headers, traceHeaders());
}

/** Cookies with the credentials of a signed-in browser. Only admin-auth reads these cookies, so no other service receives them. */
const CONSOLE_COOKIE = /^\s*(?:access_token|refresh_token)\s*=/;

/** Removes the console's cookies from a request to another service. */
export function dropConsoleCookies(headers: IncomingHttpHeaders): void {
  if (headers.cookie === undefined) return;
  const kept = headers.cookie.split(';').filter((pair) => !CONSOLE_COOKIE.test(pair));
  if (kept.length > 0) headers.cookie = kept.join(';').trim();
  else drop(headers, 'cookie');
}

/** Removes headers of a service's answer that are only about the connection between service and gateway. */
export function rewriteResponseHeaders(headers: IncomingHttpHeaders, keepAlive: boolean): void {
  for (const name of connectionOptions(headers)) drop(headers, name);
  for (const name of hopByHop) drop(headers, name);
  headers.connection = keepAlive ? 'keep-alive' : 'close';
}

/** Headers that `Connection` declares hop-by-hop. Headers that delimit the body, name the host or contain the credential are never dropped. */
function connectionOptions({ connection }: IncomingHttpHeaders): string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  const kept = new Set(['content-length', 'transfer-encoding', 'host', 'authorization', 'api-key']);
  return connection
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
    .filter((option) => !kept.has(option));
}

/** Address of the peer or, behind trusted proxies, the client address that the outermost of `trustedHops` proxies reports. */
function clientAddress({ headers, socket }: IncomingMessage, trustedHops: number): string {
  const peer = socket.remoteAddress ?? '';
  if (trustedHops === 0) return peer;
  const claimed = String(headers['x-forwarded-for'] ?? '').split(',');
  const chain = [...claimed.map((entry) => entry.trim()).filter((entry) => entry !== ''), peer];
  const client = chain[Math.max(0, chain.length - 1 - trustedHops)] ?? peer;
  return isIP(client) === 0 ? peer : client;
}

function drop(headers: IncomingHttpHeaders, name: string): void {
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- http-proxy-middleware sends on whatever is in this object
  delete headers[name];
}
