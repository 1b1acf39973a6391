import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import type { Origin } from './clients.store.js';
import { OAuthError } from './oauth-error.js';

export interface FormEndpointOptions {
  path: string;
  gate: Gate;
  /** Whether scripts of any origin may read the answer, without credentials. */
  cors?: boolean;
  answer: (request: Request) => Promise<{ status?: number; body?: object }>;
}

export function originOf(request: Request): Origin {
  return { requestId: requestIdOf(request), ip: request.ip ?? '' };
}

/** An endpoint for clients that takes POSTed forms, or JSON, and refuses in the protocol's own words. */
export function formEndpoint({ path, gate, cors = true, answer }: FormEndpointOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const count: RequestHandler = async (request, response, next) => {
    response.locals['route'] = path;
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    if (cors) response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'WWW-Authenticate' });
    await gate(request, response, 'public', false);
    next();
  };
  const respond: RequestHandler = async (request, response) => {
    const { status = 200, body } = await answer(request);
    response.status(status);
    if (body === undefined) response.end();
    else response.json(body);
  };
  const readers = [express.urlencoded({ extended: false, limit: 65_536 }), express.json({ limit: 65_536 })];
  router.post(path, count, ...readers, respond, refuse);
  if (cors) router.options(path, count, preflight);
  router.all(path, count, () => {
    throw new AppError('method_not_allowed', { headers: { Allow: 'POST' } });
  });
  return router;
}

const preflight: RequestHandler = (_request, response) => {
  response.set({
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
};

/** The protocol's own error body (RFC 6749 §5.2); what is not a refusal goes to the area's renderer. */
const refuse: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refusal = error instanceof OAuthError ? error : unreadable(error);
  if (!refusal) {
    next(error);
    return;
  }
  if (refusal.usedBasic) response.set('WWW-Authenticate', 'Basic realm="millwright", charset="UTF-8"');
  response.status(refusal.status).json({ error: refusal.code, error_description: refusal.description });
};

/** body-parser's own failures carry a 4xx status. */
function unreadable(error: unknown): OAuthError | undefined {
  const { status, type } = error as { status?: unknown; type?: unknown };
  const fromParser = typeof type === 'string' && typeof status === 'number' && status < 500;
  return fromParser ? new OAuthError('invalid_request', 'the body cannot be read') : undefined;
}
