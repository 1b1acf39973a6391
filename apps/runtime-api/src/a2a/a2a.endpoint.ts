import { once } from 'node:events';
import { A2AError } from '@a2a-js/sdk/errors';
import type { Principal, Project } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { isStorable, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import type { Budget, RateLimiter } from '@millwright/rate-limit';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { A2ACall } from './a2a-call.js';
import { callerIn, countMessage, requireScope } from './access.js';
import type { JsonRpc } from './json-rpc.endpoint.js';
import { BodyFault, readBytes } from './read-body.js';
import { operationOf, type Rest } from './rest.endpoint.js';
import { keepAlive } from './send-events.js';

export interface A2AEndpointOptions {
  db: Database;
  gate: Gate;
  limiter: RateLimiter;
  messages: Budget;
  runtimeUrl: string;
  findAgent: (project: Project, slug: string) => Promise<RunnableAgent | undefined>;
  jsonRpc: JsonRpc;
  rest: Rest;
}

const PATH = '/api/v1/agents/:agent/a2a';
const TEMPLATE = '/api/v1/agents/{agent_name}/a2a';

/** An agent's A2A endpoint: JSON-RPC at its URL, HTTP+JSON below it, each in the versions 1.0 and 0.3. */
export function a2aEndpoint(options: A2AEndpointOptions): Router {
  const { db, gate, limiter, messages, runtimeUrl, findAgent, jsonRpc, rest } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const principalOf = (response: Response) => response.locals['principal'] as Principal;

  /** §7.4: a credential on every request, and what it may. */
  const authenticate: RequestHandler = async (request, response, next) => {
    const principal = await gate(request, response, 'credential', true);
    if (!principal) throw new AppError('unauthorized');
    response.locals['principal'] = principal;
    await requireScope(db, runtimeUrl, request, principal);
    next();
  };

  /** §13.1: what is another project's is not there. */
  const requireAgent: RequestHandler = async (request, response, next) => {
    const name = String(request.params['agent']);
    const agent = isStorable(name) ? await findAgent(principalOf(response).project, name) : undefined;
    if (!agent) throw new AppError('not_found');
    const left = new AbortController();
    void once(response, 'close').then(() => left.abort());
    const call: A2ACall = { caller: callerIn(request, principalOf(response)), agent, signal: left.signal };
    response.locals['call'] = call;
    next();
  };

  /** §3.6.1: the version may be a request parameter. */
  const readVersion: RequestHandler = (request, _response, next) => {
    const { 'A2A-Version': version } = request.query;
    if (request.get('A2A-Version') === undefined && typeof version === 'string')
      request.headers['a2a-version'] = version;
    next();
  };

  /** What the bindings read, and refuse in their own words. */
  const read =
    (binding: JsonRpc | Rest): RequestHandler =>
    (request, response, next) => {
      try {
        binding.read(request);
      } catch (error) {
        if (!(error instanceof A2AError || error instanceof BodyFault)) throw error;
        binding.refuse(request, response, error);
        return;
      }
      next();
    };

  const countIf =
    (isSending: (request: Request) => boolean): RequestHandler =>
    async (request, response, next) => {
      if (isSending(request)) await countMessage(limiter, messages, principalOf(response), response);
      next();
    };

  const serve =
    (
      binding: (request: Request, response: Response, next: NextFunction, call: A2ACall) => Promise<void> | void,
    ): RequestHandler =>
    async (request, response, next) => {
      keepAlive(response);
      await binding(request, response, next, response.locals['call'] as A2ACall);
    };

  const route =
    (template: (request: Request) => string): RequestHandler =>
    (request, response, next) => {
      response.locals['route'] = template(request);
      next();
    };

  /** §5.3: paths of the binding, and the methods that they have. */
  const requireOperation: RequestHandler = (request, _response, next) => {
    const operation = operationOf(request);
    if (!operation) throw new AppError('not_found');
    if (!operation.methods.includes(request.method)) {
      throw new AppError('method_not_allowed', { headers: { Allow: operation.methods.join(', ') } });
    }
    next();
  };

  const refuseMethod: RequestHandler = () => {
    throw new AppError('method_not_allowed', { headers: { Allow: 'POST' } });
  };

  const nameOf = (request: Request) => operationOf(request)?.name ?? '*';
  const toJsonRpc = serve((request, response, _next, call) => jsonRpc.serve(request, response, call));
  const admitted = [readVersion, authenticate];
  router.post(
    PATH,
    ...[
      route(() => TEMPLATE),
      ...admitted,
      requireAgent,
      readBytes,
      read(jsonRpc),
      countIf(jsonRpc.isSending),
      toJsonRpc,
    ],
  );
  router.all(
    PATH,
    route(() => TEMPLATE),
    ...admitted,
    refuseMethod,
  );
  router.use(
    PATH,
    ...[
      route((request) => `${TEMPLATE}/${nameOf(request)}`),
      ...admitted,
      requireOperation,
      requireAgent,
      readBytes,
      read(rest),
    ],
    countIf((request) => operationOf(request)?.sends === true),
    serve((request, response, next, call) => rest.serve(request, response, next, call)),
  );
  return router;
}
