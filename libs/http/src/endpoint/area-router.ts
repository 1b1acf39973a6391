import { callerOf, type Principal } from '@millwright/auth';
import { recordDenial } from '@millwright/audit';
import { databaseFailure, type Database } from '@millwright/db';
import { AppError, renderers, type Area, type ErrorCode } from '@millwright/errors';
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { limitHeaders } from '@millwright/rate-limit';
import { createWork, loadShedding, requestIdOf, type Logger, type Metrics, type Work } from '../process/index.js';
import { runCall } from './call.js';
import type { EndpointContract, Reply, Route } from './contract.js';
import { bytesTag, isUnchanged, tagOf } from './conditional.js';
import { eventStreamOf } from './event-stream.js';
import { createGate, type Gate, type GateOptions } from './gate.js';
import { sendFile } from './send-file.js';
import { REFERENCE_POLICY, referencePage } from '../reference/index.js';
import type { OpenApiInfo } from './openapi.js';
import { openApiDocument } from './openapi.js';
import { hasBody } from './read-body.js';

export interface AreaOptions extends GateOptions {
  area: Area;
  routes: readonly Route[];
  db: Database;
  logger: Logger;
  /** Everything below this path needs a credential, whether it exists or not: existence is not told to strangers. */
  protectedPrefix: string;
  metrics: Metrics;
  /** Requests beyond this many at once are answered 503. */
  maxInFlight: number;
  /** Told of every request until its handler is done, which may be after its client has left. */
  work?: Work | undefined;
  /** Endpoints that follow a standard of their own instead of a contract. */
  protocols?: readonly RequestHandler[];
  /** Where the OpenAPI document is served, publicly; the readable reference made from it is at `docs` beside it. */
  openApi: { path: string; info: OpenApiInfo };
}

/** `{skill_id}` in Express's notation. */
function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Serves an area's contracts. Credential and limit come first, then scope, then validation, then the handler. */
export function createAreaRouter(options: AreaOptions): Router {
  const {
    area,
    routes,
    db,
    protectedPrefix,
    openApi,
    metrics,
    maxInFlight,
    protocols = [],
    work = createWork(),
  } = options;
  const gate = createGate(options);
  const router = Router({ caseSensitive: true, strict: true });

  router.use((_request, response, next) => {
    // Until the request is counted; so that what fails before that carries the headers too.
    const { limit } = options.budgets.anonymous;
    const resetAt = (Math.floor(Date.now() / 60_000) + 1) * 60;
    response.set(limitHeaders({ limit, remaining: limit, resetAt, admitted: true }));
    next();
  });
  const shed = loadShedding({ maxInFlight, metrics });
  const unshed = new Set(routes.filter(({ contract }) => contract.unshed).map(({ contract }) => contract.path));
  router.use((request, response, next) => {
    if (unshed.has(request.path)) next();
    else shed(request, response, next);
  });
  router.use(async (request, response, next) => {
    if (isDecodable(request.path)) {
      next();
      return;
    }
    await gate(request, response, 'credential', isBelow(request.path, protectedPrefix));
    throw new AppError('not_found');
  });
  for (const protocol of protocols) router.use(protocol);

  // Made for the first who asks: a process that starts has better things to do.
  let document: object | undefined;
  let page: string | undefined;
  const readDocument = () =>
    (document ??= openApiDocument(
      openApi.info,
      area,
      routes.map(({ contract }) => contract),
    ));
  const readPage = () => (page ??= referencePage(readDocument(), area));
  router.get(openApi.path, publicGate(gate), (_request, response) => void response.json(readDocument()));
  router.get(docsPath(openApi.path), publicGate(gate), (_request, response) => {
    response
      .set({ 'Content-Security-Policy': REFERENCE_POLICY, 'Referrer-Policy': 'no-referrer' })
      .type('html')
      .send(readPage());
  });
  router.all([openApi.path, docsPath(openApi.path)], publicGate(gate), () => {
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });

  for (const [path, served] of routesByPath(routes)) {
    for (const route of served) {
      const { contract } = route;
      const verb = contract.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      router[verb](expressPath(path), async (request, response) => {
        response.locals['route'] = path;
        const principal = await gate(request, response, contract.limit, contract.scope !== null);
        await requireScope(db, contract, principal, request);
        const reply = await work.track(runCall({ area, db, route, request, response, principal }));
        if (contract.success.file) await negotiate(response, request, area, contract, reply);
        else send(response, request, area, contract, reply);
      });
    }
    const limit = served[0]?.contract.limit === 'public' ? 'public' : 'credential';
    router.all(expressPath(path), async (request, response) => {
      response.locals['route'] = path;
      await gate(request, response, limit, isBelow(path, protectedPrefix));
      throw new AppError('method_not_allowed', { headers: { Allow: methodsOf(served).join(', ') } });
    });
  }
  router.use(async (request, response) => {
    await gate(request, response, 'credential', isBelow(request.path, protectedPrefix));
    throw new AppError('not_found');
  });
  router.use(renderErrors(options));
  return router;
}

const docsPath = (openApiPath: string) => openApiPath.replace(/[^/]*$/, 'docs');

function publicGate(gate: Gate): RequestHandler {
  return async (request, response, next) => {
    await gate(request, response, 'public', false);
    next();
  };
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** A path with stray percent signs names nothing; Express would answer it before the credential is looked at. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Paths with a name in a place come before those with a parameter there (`{` sorts after every letter): `import` is no id. */
function routesByPath(routes: readonly Route[]): [path: string, routes: Route[]][] {
  return [...Map.groupBy(routes, ({ contract }) => contract.path)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function methodsOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ contract: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** Attempts of known users beyond their scopes are recorded. @throws AppError forbidden */
async function requireScope(
  db: Database,
  contract: EndpointContract,
  principal: Principal | undefined,
  request: Request,
) {
  if (contract.scope === null || principal?.scopes.has(contract.scope)) return;
  if (principal) {
    const caller = callerOf(principal, { requestId: requestIdOf(request), ip: request.ip ?? '' });
    const entry = {
      ...caller,
      action: contract.operationId,
      resource: request.path.slice(0, 500),
      project: caller.project,
    };
    await recordDenial(db, entry, `scope ${contract.scope} is missing`);
  }
  throw new AppError('forbidden');
}

/** Bytes, except to those who rather accept JSON. */
async function negotiate(
  response: Response,
  request: Request,
  area: Area,
  contract: EndpointContract,
  reply: Reply,
): Promise<void> {
  response.vary('Accept');
  const { file, version = 1 } = reply;
  if (!file || request.accepts([file.type, 'application/json']) === 'application/json') {
    send(response, request, area, contract, reply);
    return;
  }
  response.set('Cache-Control', 'private, no-cache');
  await sendFile(request, response, file, bytesTag(area, version));
}

function send(response: Response, request: Request, area: Area, contract: EndpointContract, reply: Reply): void {
  const stream = eventStreamOf(response);
  if (stream) {
    stream.end(reply);
    return;
  }
  response.status(reply.status ?? contract.success.status).set({ 'Cache-Control': 'no-store' });
  const tag = tagOf(area, reply);
  if (tag !== undefined) response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  response.set(reply.headers ?? {});
  if (tag !== undefined) {
    if (contract.method === 'GET' && isUnchanged(request.headers['if-none-match'], tag)) {
      response.status(304).end();
      return;
    }
  }
  if (reply.body === undefined) response.end();
  else if (contract.success.type) response.type(contract.success.type).send(reply.body);
  else response.json(reply.body);
}

/** What the parsers of protocol endpoints throw, by the status of their public errors (http-errors' `expose`). */
const FRAMEWORK: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

function toAppError(error: unknown): AppError {
  const failure = databaseFailure(error);
  if (failure instanceof AppError) return failure;
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  const fromFramework = expose === true && typeof status === 'number' ? FRAMEWORK[status] : undefined;
  return new AppError(fromFramework ?? 'internal_error', { cause: error });
}

/** Every failure in the area's envelope; ours are logged with their cause and answered with a constant text. */
export function renderErrors({ area, logger }: { area: Area; logger: Logger }): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const stream = eventStreamOf(response);
    if (response.headersSent && !stream) {
      next(error);
      return;
    }
    const failure = toAppError(error);
    if (failure.status >= 500) {
      const level = failure.status === 500 ? 'error' : 'warn';
      logger[level]({ err: failure.cause ?? failure, request_id: requestIdOf(request) }, failure.message);
    }
    const { status, body, headers } = renderers[area](failure);
    if (response.headersSent) {
      stream?.fail(body);
      return;
    }
    if (failure.retryAfter !== undefined) response.set('Retry-After', String(failure.retryAfter));
    // What is left of an unread body would have to be read before the next request on this connection.
    if (hasBody(request) && !request.complete) response.set('Connection', 'close');
    response
      .set({ 'Cache-Control': 'no-store', ...headers, ...failure.headers })
      .status(status)
      .json(body);
  };
}
