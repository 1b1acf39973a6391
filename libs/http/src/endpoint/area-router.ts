import { callerOf } from '@millwright/auth';
import { databaseFailure, type Database } from '@millwright/db';
import {
  AppError,
  jsonTypeOf,
  renderers,
  type AnswerForm,
  type Area,
  type ErrorCode,
  type ErrorRenderer,
} from '@millwright/errors';
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { limitHeaders } from '@millwright/rate-limit';
import { createWork, requestIdOf, type Logger, type Metrics, type Work } from '../process/index.js';
import { admitRequests } from '../capacity/admission.js';
import { limitBodyTime } from '../capacity/body-time.js';
import { requestOrigin } from '../protocol/request-origin.js';
import type { Capacity } from '../process/service-config.js';
import { leastAccess, type Access } from '../contract/access.js';
import { auditQuotaRefusal } from './audit-quota-refusal.js';
import { runCall } from './call.js';
import type { EndpointContract, Method, Reply, Route } from '../contract/contract.js';
import type { ErrorPage } from './error-page.js';
import { bytesTag, isUnchanged, tagOf } from './conditional.js';
import { challengeFor, createGate, type Gate, type GateOptions } from '../contract/gate.js';
import { sendFile } from './send-file.js';
import { sendJson } from './send-json.js';
import { REFERENCE_POLICY, referencePage } from '../reference/index.js';
import type { OpenApiInfo, OpenApiPart } from './openapi.js';
import { openApiDocument } from './openapi.js';
import { refuseOtherMethods } from './other-methods.js';
import { hasBody, statesLargeBody } from '../body/read-body.js';

export interface AreaOptions extends GateOptions {
  area: Area;
  routes: readonly Route[];
  logger: Logger;
  /** The access that a path without an endpoint requires, so that an unauthenticated client cannot find out which paths exist. */
  accessOf: (path: string) => Access;
  metrics: Metrics;
  /** Limits of concurrent requests, and of the time in which their bodies must arrive. */
  capacity: Capacity;
  /** Tracks every request until its handler has ended, which may be after the client has disconnected. */
  work?: Work | undefined;
  /** Endpoints that follow a standard instead of a contract. */
  protocols?: readonly RequestHandler[];
  /** Answers some failures with a page instead of the service's envelope. */
  errorPage?: ErrorPage;
  /** Returns the form of failures for paths that do not use the form of the service. */
  errorFormOf?: (path: string) => ErrorRenderer | undefined;
  /** Address of the documentation, which has a page for each error. */
  docsUrl: string;
  /** The error when a credential is revoked while its request is handled. Default: unauthorized. */
  onInvalid?: (request: Pick<Request, 'headers'>) => ErrorCode;
  /** The public path of the OpenAPI document. The readable reference is at `docs` beside this path. */
  openApi: {
    path: string;
    info: OpenApiInfo;
    /** Contracts of protocol endpoints. */
    contracts?: readonly EndpointContract[];
    parts?: readonly OpenApiPart[];
  };
}

/** Writes a path such as `{skill_id}` in Express's notation. */
function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Matches the paths of a template, including paths whose parameters cannot be decoded. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Serves a service's contracts. Credential and limit come first, then access, then validation, then the handler. */
export function createAreaRouter(options: AreaOptions): Router {
  const { area, routes, accessOf, openApi, metrics, capacity, protocols = [], work = createWork() } = options;
  const gate = createGate(options);
  const router = Router({ caseSensitive: true, strict: true });

  router.use((_request, response, next) => {
    // Sets limit headers for failures that occur before the request is counted. The count of the request replaces these headers.
    const { limit } = options.budgets.anonymous;
    const resetAt = (Math.floor(Date.now() / 60_000) + 1) * 60;
    response.set(limitHeaders({ limit, remaining: limit, resetAt, admitted: true }));
    next();
  });
  const admit = admitRequests({ area, capacity, metrics, limiter: options.limiter });
  const unshed = new Set(routes.filter(({ contract }) => contract.unshed).map(({ contract }) => contract.path));
  router.use((request, response, next) => {
    if (unshed.has(request.path)) next();
    else admit(request, response, next);
  });
  const answerError = renderErrors(options);
  router.use(
    limitBodyTime(capacity, (request, response) => {
      if (response.headersSent) response.destroy();
      else void answerError(new AppError('request_timeout'), request, response, () => undefined);
    }),
  );
  const publicPaths = routes.flatMap(({ contract: { access, path } }) =>
    access === 'public' ? [patternOf(path)] : [],
  );
  router.use(async (request, response, next) => {
    if (isDecodable(request.path)) {
      next();
      return;
    }
    const isPublic = publicPaths.some((pattern) => pattern.test(request.path));
    await gate(request, response, 'credential', isPublic ? 'public' : accessOf(request.path));
    throw new AppError('not_found');
  });
  for (const protocol of protocols) router.use(protocol);

  // The document is built at the first request, so that a process starts quickly.
  let document: object | undefined;
  let page: string | undefined;
  const readDocument = () =>
    (document ??= openApiDocument(
      openApi.info,
      area,
      [...routes.map(({ contract }) => contract), ...(openApi.contracts ?? [])],
      openApi.parts,
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

  serveRoutes(router, { ...options, gate, work });
  const admitTo: RequestHandler = async (request, response, next) => {
    await gate(request, response, 'credential', accessOf(request.path));
    next();
  };
  router.use(refuseOtherMethods(protocols, admitTo));
  // A developer who opens the base address finds the description and the readable reference (RFC 8631).
  const Link = `<${openApi.path}>; rel="service-desc", <${docsPath(openApi.path)}>; rel="service-doc"`;
  router.use(admitTo, () => {
    throw new AppError('endpoint_not_found', { headers: { Link } });
  });
  router.use(answerError);
  return router;
}

export interface RoutesOptions {
  area: AnswerForm;
  routes: readonly Route[];
  db: Database;
  gate: Gate;
  work?: Work | undefined;
}

/** Serves the contracts on a router, and refuses other methods on their paths. Failures are left to {@link renderErrors}. */
export function serveRoutes(router: Router, { area, routes, db, gate, work = createWork() }: RoutesOptions): void {
  const runningKeys = new Set<string>();
  for (const [path, served] of routesByPath(routes)) {
    for (const route of served) {
      const { contract } = route;
      const verb = VERBS[contract.method];
      router[verb](expressPath(path), async (request, response) => {
        response.locals.route = path;
        const { limit, access, action = contract.operationId } = contract;
        const principal = await gate(request, response, limit, access, action);
        const isLarge = contract.largeBody === true && statesLargeBody(request);
        if (isLarge) await response.locals.admission?.admitLargeBody();
        const endRead = contract.expensive ? await response.locals.admission?.admitExpensive() : undefined;
        const call = runCall({ area, db, route, request, response, principal, runningKeys, isLarge });
        const reply = await work.track(
          call.catch(auditQuotaRefusal(db, principal && callerOf(principal, requestOrigin(request)))).finally(endRead),
        );
        if (contract.success.file) await negotiate(response, request, area, contract, reply);
        else await send(response, request, area, contract, reply);
      });
    }
    const limit = served[0]?.contract.limit === 'public' ? 'public' : 'credential';
    const access = leastAccess(served.map(({ contract }) => contract.access));
    router.all(expressPath(path), async (request, response) => {
      response.locals.route = path;
      await gate(request, response, limit, access);
      throw new AppError('method_not_allowed', { headers: { Allow: methodsOf(served).join(', ') } });
    });
  }
}

const docsPath = (openApiPath: string) => openApiPath.replace(/[^/]*$/, 'docs');

function publicGate(gate: Gate): RequestHandler {
  return async (request, response, next) => {
    await gate(request, response, 'public', 'public');
    next();
  };
}

/** The access for services in which all paths below a prefix need a credential, whether the paths exist or not. */
export const credentialBelow = (prefix: string): AreaOptions['accessOf'] => {
  const start = prefix.endsWith('/') ? prefix : `${prefix}/`;
  return (path) => (path === prefix || path.startsWith(start) ? 'credential' : 'public');
};

/**
 * Whether every percent sign of a path begins a valid encoding. Express would answer any other path before the
 * credential is checked.
 */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sorts the paths. A path with a fixed word in a segment comes before a path with a parameter in this segment (`{` sorts after every
 * letter), so that `import` is not read as an id.
 */
function routesByPath(routes: readonly Route[]): [path: string, routes: Route[]][] {
  return [...Map.groupBy(routes, ({ contract }) => contract.path)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function methodsOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ contract: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** Answers with the bytes of the reply's file. Answers with JSON when the client prefers JSON. */
async function negotiate(
  response: Response,
  request: Request,
  area: AnswerForm,
  contract: EndpointContract,
  reply: Reply,
): Promise<void> {
  response.vary('Accept');
  const { file, version = 1 } = reply;
  if (!file || request.accepts([file.type, 'application/json']) === 'application/json') {
    await send(response, request, area, contract, reply);
    return;
  }
  response.set('Cache-Control', 'private, no-cache');
  await sendFile(request, response, file, bytesTag(area, version));
}

async function send(
  response: Response,
  request: Request,
  area: AnswerForm,
  contract: EndpointContract,
  reply: Reply,
): Promise<void> {
  const { eventStream: stream } = response.locals;
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
  else await sendJson(response.type(jsonTypeOf(area)), reply.body);
}

/** Express's method that registers the handler of each HTTP method. */
const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const satisfies Record<
  Method,
  string
>;

/**
 * Error codes for the failures that parsers of protocol endpoints report, by the status of their public errors
 * (http-errors' `expose`).
 */
const FRAMEWORK: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

function toAppError(error: unknown): AppError {
  const failure = databaseFailure(error);
  if (failure instanceof AppError) return failure;
  const { status, expose }: { status?: unknown; expose?: unknown } = error ?? {};
  const fromFramework = expose === true && typeof status === 'number' ? FRAMEWORK[status] : undefined;
  return new AppError(fromFramework ?? 'internal_error', { cause: error });
}

export interface ErrorRendering extends Partial<Pick<GateOptions, 'challenge'>>, Pick<AreaOptions, 'docsUrl'> {
  area: Area;
  logger: Logger;
  errorPage?: ErrorPage | undefined;
  errorFormOf?: AreaOptions['errorFormOf'] | undefined;
  onInvalid?: AreaOptions['onInvalid'] | undefined;
}

/** Renders every failure in the service's envelope. Faults of the service are logged with their cause and answered with a constant text. */
export function renderErrors({
  area,
  logger,
  docsUrl,
  challenge,
  errorPage,
  errorFormOf,
  onInvalid,
}: ErrorRendering): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    // When a request was refused while its body still arrived, the answer is already sent; the failure of the handler is then ignored.
    if (response.writableEnded) return;
    const { eventStream: stream } = response.locals;
    if (response.headersSent && !stream) {
      next(error);
      return;
    }
    const thrown = toAppError(error);
    const failure = thrown.code === 'unauthorized' && onInvalid ? new AppError(onInvalid(request)) : thrown;
    if (failure.status >= 500) {
      const level = failure.status === 500 ? 'error' : 'warn';
      logger[level]({ err: failure.cause ?? failure, request_id: requestIdOf(request) }, failure.message);
    }
    const render = errorFormOf?.(request.baseUrl + request.path) ?? renderers[area];
    const { status, body, headers } = render(failure);
    // Every 401 must have the challenge (RFC 9110 §15.5.2), also a 401 that a handler throws.
    if (status === 401 && challenge) response.set('WWW-Authenticate', challengeFor(challenge, request, 'wrong'));
    if (response.headersSent) {
      stream?.fail(body);
      return;
    }
    if (failure.retryAfter !== undefined) response.set('Retry-After', String(failure.retryAfter));
    // Closes the connection: with keep-alive, the rest of the body would have to be read before the next request.
    if (hasBody(request) && !request.complete) response.set('Connection', 'close');
    response.set({ 'Cache-Control': 'no-store', ...headers, ...failure.headers });
    // Adds a link to the page of the error (RFC 8288). The link is in a header, because the specification fixes the
    // bodies of errors.
    response.append('Link', `<${docsUrl}/errors/${failure.code}>; rel="help"`);
    if (!errorPage?.(failure, request, response)) response.status(status).json(body);
  };
}
