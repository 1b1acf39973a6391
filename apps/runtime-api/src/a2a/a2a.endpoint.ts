import { A2AError } from '@a2a-js/sdk/errors';
import type { Principal, Project } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { isStorable, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import { clientLeft, statesLargeBody } from '@millwright/http/protocol';
import type { Budget, RateLimiter } from '@millwright/rate-limit';
import { Router, type Request, type Response } from 'express';
import type { A2ACall } from './a2a-call.js';
import { callerIn, countMessage, requireScope } from './access.js';
import type { JsonRpc } from './json-rpc.endpoint.js';
import { BodyFault, readBytes } from './read-body.js';
import { operationOf, type Rest, type RestOperation } from './rest.endpoint.js';

export interface A2AEndpointOptions {
  db: Database;
  gate: Gate;
  limiter: RateLimiter;
  messages: Budget;
  runtimeUrl: string;
  findAgent: (project: Project, slug: string) => Promise<RunnableAgent | undefined>;
  /** Finds the deleted agent that had this slug, as long as its runs may still finish. */
  findDeleted: (project: Project, slug: string) => Promise<RunnableAgent | undefined>;
  jsonRpc: JsonRpc;
  rest: Rest;
}

const PATH = '/api/v1/agents/:agent/a2a';
const TEMPLATE = '/api/v1/agents/{agent_name}/a2a';

/** Serves the A2A endpoints of agents. JSON-RPC is at the endpoint's URL, and HTTP+JSON is below it. Both serve the versions 1.0 and 0.3. */
export function a2aEndpoint(options: A2AEndpointOptions): Router {
  const { db, gate, limiter, messages, runtimeUrl, findAgent, findDeleted, jsonRpc, rest } = options;
  const router = Router({ caseSensitive: true, strict: true });

  /** Requires a valid credential with the scope of A2A. A2A 1.0 §7.4 demands this check on every request. */
  async function authenticate(request: Request, response: Response): Promise<Principal> {
    readVersion(request);
    const principal = await gate(request, response, 'credential', 'credential');
    await requireScope(db, runtimeUrl, request, principal);
    return principal;
  }

  /** Finds the agent. @throws AppError not_found for an unknown agent, and in the same way for an agent of another project (A2A 1.0 §13.1) */
  async function requireAgent(request: Request, response: Response, principal: Principal): Promise<A2ACall> {
    const name = String(request.params['agent']);
    if (!isStorable(name)) throw new AppError('not_found');
    const present = await findAgent(principal.project, name);
    const agent = present ?? (await findDeleted(principal.project, name));
    if (!agent) throw new AppError('not_found');
    return { caller: callerIn(request, principal), agent, isDeleted: !present, signal: clientLeft(response) };
  }

  router.post(PATH, async (request, response) => {
    response.locals.route = TEMPLATE;
    const principal = await authenticate(request, response);
    const call = await requireAgent(request, response, principal);
    await readBody(request, response);
    if (isRefused(jsonRpc, request, response)) return;
    if (jsonRpc.isSending(request)) await countMessage(limiter, messages, principal, response);
    if (jsonRpc.isStreaming(request)) await response.locals.admission?.becomeStream();
    await jsonRpc.serve(request, response, call);
  });

  router.all(PATH, async (request, response) => {
    response.locals.route = TEMPLATE;
    await authenticate(request, response);
    throw new AppError('method_not_allowed', { headers: { Allow: 'POST' } });
  });

  // Leaves requests for the card to the card's own route, which requires no credential.
  router.use(`${PATH}/.well-known/agent-card.json`, (_request, _response, next) => next('router'));

  router.use(PATH, async (request, response, next) => {
    response.locals.route = `${TEMPLATE}/${operationOf(request)?.name ?? '*'}`;
    const principal = await authenticate(request, response);
    const operation = requireOperation(request);
    const call = await requireAgent(request, response, principal);
    await readBody(request, response);
    if (isRefused(rest, request, response)) return;
    if (operation.sends) await countMessage(limiter, messages, principal, response);
    if (operation.streams) await response.locals.admission?.becomeStream();
    rest.serve(request, response, next, call);
  });
  return router;
}

/**
 * Reads the body. A large body is read only after room for it was reserved, because a process reads only a few large bodies at a time.
 * @throws AppError payload_too_large for a body above the limit; rate_limited when there is no room for another large body
 */
async function readBody(request: Request, response: Response): Promise<void> {
  const isLarge = statesLargeBody(request);
  if (isLarge) await response.locals.admission?.admitLargeBody();
  await readBytes(request, response, isLarge);
}

/** Copies the version from the query to the header, if the header is missing (A2A 1.0 §3.6.1). */
function readVersion(request: Request): void {
  const { 'A2A-Version': version } = request.query;
  if (request.get('A2A-Version') === undefined && typeof version === 'string') request.headers['a2a-version'] = version;
}

/**
 * Finds the operation by the path and the method of the request (A2A 1.0 §5.3). @throws AppError not_found for an unknown path; method_not_allowed
 * for an unsupported method
 */
function requireOperation(request: Request): RestOperation {
  const operation = operationOf(request);
  if (!operation) throw new AppError('not_found');
  if (!operation.methods.includes(request.method))
    throw new AppError('method_not_allowed', { headers: { Allow: operation.methods.join(', ') } });
  return operation;
}

/** Reads the request in the form of its binding. @returns true when the request was unreadable and an error of the protocol was sent */
function isRefused(binding: JsonRpc | Rest, request: Request, response: Response): boolean {
  try {
    binding.read(request);
    return false;
  } catch (error) {
    if (!(error instanceof A2AError || error instanceof BodyFault)) throw error;
    binding.refuse(request, response, error);
    return true;
  }
}
