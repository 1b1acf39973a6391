import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hopByHop } from '@millwright/http';
import { traceHeaders } from '@millwright/telemetry';
import type { Base } from './bases.js';

/** By which proxies vouch for a caller, a path or a host. Nobody in front of this gateway is believed, so none passes. */
const vouching = new Set(['forwarded', 'remote-user', 'true-client-ip', 'cf-connecting-ip', 'fastly-client-ip']);
const vouchingPrefix =
  /^x-(?:forwarded|user|remote|real|auth-request|authenticated|original|rewrite|client|cluster-client|envoy|ssl|host|scheme|http-method-override|middleware)(?:-|$)/;

/** Makes a request's headers ready to be sent on: only what the caller may say, and what this gateway knows. */
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

/** Takes what concerns only the connection to the service out of its answer. */
export function rewriteResponseHeaders(headers: IncomingHttpHeaders, keepAlive: boolean): void {
  for (const name of connectionOptions(headers)) drop(headers, name);
  for (const name of hopByHop) drop(headers, name);
  headers.connection = keepAlive ? 'keep-alive' : 'close';
}

/** The headers that `Connection` declares to be hop by hop; those that frame the message or name the host are not up to it. */
function connectionOptions({ connection }: IncomingHttpHeaders): string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  const kept = new Set(['content-length', 'transfer-encoding', 'host', 'authorization', 'api-key']);
  return connection
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
    .filter((option) => !kept.has(option));
}

/** The peer, or the address that the outermost of `trustedHops` proxies in front of this gateway saw. */
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
