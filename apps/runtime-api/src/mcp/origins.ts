import { AppError } from '@millwright/errors';
import type { Request, Response } from 'express';

/** Names of this machine; browsers on them are developers' tools. */
const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const EXPOSED = 'WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version';
/** Headers that clients of MCP send, the modern era's open-ended ones included. */
const ASKABLE = /^(authorization|content-type|accept|last-event-id|mcp-[a-z0-9-]{1,100}|traceparent|tracestate)$/;

/**
 * Refuses pages of origins that are not allowed, and lets those that are read the answer, without credentials of the browser
 * (MCP transports, "Security warning"). Programs send no `Origin` and pass.
 *
 * @throws AppError forbidden
 */
export function admitOrigin(request: Request, response: Response, allowed: readonly string[]): void {
  response.vary('Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!allowed.includes(origin) && !LOOPBACK.test(origin)) throw new AppError('forbidden');
  response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED });
}

/** What a page may send (Fetch §3.3.3): the headers it asks for, of those that clients of MCP send. */
export function preflightHeaders(request: Request): Record<string, string> {
  const asked = request.headers['access-control-request-headers'] ?? '';
  const headers = asked
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => ASKABLE.test(name));
  return {
    'Access-Control-Allow-Methods': 'POST, GET, DELETE',
    'Access-Control-Allow-Headers': headers.join(', '),
    'Access-Control-Max-Age': '7200',
  };
}
