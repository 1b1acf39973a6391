import { AppError } from '@millwright/errors';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Gate } from '../contract/gate.js';
import { OAuthError } from './oauth-error.js';

export interface OAuthFormEndpointOptions {
  /** Paths of the endpoint; the first path is the endpoint's name in metrics and logs. */
  paths: readonly [string, ...string[]];
  gate: Gate;
  /**
   * The limit class of the requests. With `client`, `answer` counts the requests. By default, all requests are counted
   * per address.
   */
  limit?: 'public' | 'sign-in' | 'client';
  /** Whether scripts of any origin may read the answer, without credentials. */
  cors?: boolean;
  /** Whether other methods are answered 405. Otherwise the next router receives them. Default: true. */
  postOnly?: boolean;
  /** Called before a refusal is sent, including the refusal of a body that cannot be read. */
  onRefusal?: (request: Request, response: Response) => Promise<void>;
  /** Returns the status and the body of the answer. May also set cookies on the response. */
  answer: (request: Request, response: Response) => Promise<{ status?: number; body?: object }>;
}

/** Maximum size of a body in bytes, for forms and JSON. */
const BODY_LIMIT = 65_536;

const PARSERS: readonly RequestHandler[] = [
  express.urlencoded({ extended: false, limit: BODY_LIMIT }),
  express.json({ limit: BODY_LIMIT }),
];

/**
 * Every failure of a parser is answered as a fault of the client: the body is too large, has an unknown encoding or is malformed. The
 * `type` of a failure is not checked, because failures of zlib have none.
 */
const readBody =
  (parse: RequestHandler): RequestHandler =>
  (request, response, next) => {
    void parse(request, response, (error?: unknown) => {
      next(error === undefined ? undefined : new OAuthError('invalid_request', 'the body cannot be read'));
    });
  };

/**
 * An OAuth endpoint that takes POSTed forms, or JSON. Answers OAuth errors with the error body of RFC 6749 §5.2, and passes every other
 * failure to the service's own renderer.
 */
export function oauthFormEndpoint({
  paths,
  gate,
  limit = 'public',
  cors = false,
  postOnly = true,
  onRefusal,
  answer,
}: OAuthFormEndpointOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const admit: RequestHandler = async (request, response, next) => {
    response.locals.route = paths[0];
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    if (cors)
      response.set({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'WWW-Authenticate, DPoP-Nonce',
      });
    await gate(request, response, limit === 'client' && request.method !== 'POST' ? 'public' : limit, 'public');
    next();
  };
  const respond: RequestHandler = async (request, response) => {
    const { status = 200, body } = await answer(request, response);
    response.status(status);
    if (body === undefined) response.end();
    else response.json(body);
  };
  const sendOAuthError: ErrorRequestHandler = async (error: unknown, request, response, next) => {
    if (!(error instanceof OAuthError)) {
      next(error);
      return;
    }
    await onRefusal?.(request, response);
    if (error.usedBasic) response.set('WWW-Authenticate', 'Basic realm="millwright", charset="UTF-8"');
    response.set(error.headers);
    response.status(error.status).json({ error: error.code, error_description: error.description });
  };
  const readers = PARSERS.map(readBody);
  for (const path of paths) {
    router.post(path, admit, ...readers, respond, sendOAuthError);
    if (cors) router.options(path, admit, preflight);
    if (postOnly) router.all(path, admit, refuseMethod);
  }
  return router;
}

const refuseMethod: RequestHandler = () => {
  throw new AppError('method_not_allowed', { headers: { Allow: 'POST' } });
};

const preflight: RequestHandler = (_request, response) => {
  response.set({
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
};

/**
 * Returns the parameters of a body, each of which must occur only once.
 * @throws OAuthError invalid_request with `description`, when a parameter is repeated
 */
export function requireParameters(body: unknown, description: string): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_request', description);
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') throw new OAuthError('invalid_request', description);
    parameters[name] = value;
  }
  return parameters;
}
