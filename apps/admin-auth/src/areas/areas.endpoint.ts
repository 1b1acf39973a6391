import { request as open, type IncomingMessage } from 'node:http';
import { refuseOtherProject, requireProject } from '@millwright/accounts/projects';
import { mintAreaToken, type NewToken, type Project, type TokenArea } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { telemetryEvents, startSpan, traceHeaders } from '@millwright/telemetry';
import type { Gate, SessionPrincipal } from '@millwright/http';
import { onClose, requestIdOf, type Logger } from '@millwright/http/process';
import { createTargets, UpstreamAgent } from '@millwright/http/upstream';
import { Router, type Request, type Response } from 'express';
import { requestHeaders, responseHeaders } from './area-headers.js';

export interface AreasOptions {
  db: Database;
  baseUrl: string;
  gate: Gate;
  logger: Logger;
  sign: (token: NewToken) => string;
  /** Public URL of each service, and the addresses of its replicas. A service that is not deployed has no addresses. */
  areas: Readonly<Record<TokenArea, { publicUrl: string; targets: readonly string[] }>>;
}

/** Time limit for the start of a service's response, longer than the slowest service needs. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Header with the project that an admin selected. */
const PROJECT_HEADER = 'x-millwright-project';

/**
 * Calls that change accounts, approvals of tools, rules for tool calls, guards, the knowledge search, budgets or model prices. This proxy
 * requires a recent proof for these calls, because the services themselves do not.
 */
const FRESH_CALLS = [
  {
    method: 'POST',
    path: /^\/platform\/api\/v1\/mcp\/servers(\/[^/]+\/tools\/[^/]+\/approve)?$/,
    action: 'mcp_server.change',
  },
  { method: 'PATCH', path: /^\/platform\/api\/v1\/mcp\/servers\/[^/]+$/, action: 'mcp_server.change' },
  {
    method: 'PUT',
    path: /^\/platform\/api\/v1\/mcp\/servers\/[^/]+\/tools\/rules$/,
    action: 'mcp_server.set_tool_rules',
  },
  { method: 'PUT', path: /^\/platform\/api\/v1\/plugins\/[^/]+\/rule$/, action: 'plugin.set_rule' },
  { method: 'PUT', path: /^\/platform\/api\/v1\/agents\/[^/]+\/rule$/, action: 'agent.set_rule' },
  { method: 'PUT', path: /^\/platform\/api\/v1\/tool-policy$/, action: 'tool_policy.update' },
  { method: 'PUT', path: /^\/platform\/api\/v1\/knowledge-search$/, action: 'knowledge_search.update' },
  { method: 'PUT', path: /^\/platform\/api\/v1\/guards$/, action: 'guards.update' },
  { method: 'PUT', path: /^\/platform\/api\/v1\/agents\/[^/]+\/guards$/, action: 'agent.set_guards' },
  { method: 'PATCH', path: /^\/platform\/api\/v1\/budgets\/[^/]+$/, action: 'budget.update' },
  { method: 'DELETE', path: /^\/platform\/api\/v1\/budgets\/[^/]+$/, action: 'budget.delete' },
  { method: 'POST', path: /^\/platform\/api\/v1\/models$/, action: 'model.create' },
  { method: 'PATCH', path: /^\/platform\/api\/v1\/models\/[^/]+$/, action: 'model.update' },
  { method: 'DELETE', path: /^\/platform\/api\/v1\/models\/[^/]+$/, action: 'model.delete' },
  { method: 'POST', path: /^\/platform\/api\/v1\/model-prices$/, action: 'model_price.create' },
  { method: 'DELETE', path: /^\/platform\/api\/v1\/model-prices\/[^/]+$/, action: 'model_price.delete' },
  { method: 'POST', path: /^\/platform\/api\/v1\/triggers$/, action: 'trigger.create' },
  { method: 'POST', path: /^\/platform\/api\/v1\/triggers\/[^/]+\/rotate-secret$/, action: 'trigger.rotate_secret' },
  { method: 'POST', path: /^\/platform\/api\/v1\/webhooks$/, action: 'webhook.create' },
  { method: 'PATCH', path: /^\/platform\/api\/v1\/webhooks\/[^/]+$/, action: 'webhook.update' },
  { method: 'POST', path: /^\/platform\/api\/v1\/webhooks\/[^/]+\/rotate-secret$/, action: 'webhook.rotate_secret' },
  { method: 'POST', path: /^\/runtime\/api\/v1\/users$/, action: 'user.create' },
  { method: 'PUT', path: /^\/runtime\/api\/v1\/users\/[^/]+$/, action: 'user.update' },
  { method: 'DELETE', path: /^\/runtime\/api\/v1\/users\/[^/]+$/, action: 'user.deactivate' },
];

/**
 * Returns the audit action of a call that requires a recent proof; `undefined` for all other calls. Paths are compared exactly, as the
 * services compare them.
 */
export const changeWithProof = ({ method, path }: Pick<Request, 'method' | 'path'>): string | undefined =>
  FRESH_CALLS.find((call) => call.method === method && call.path.test(path))?.action;

/**
 * Values of `Sec-Fetch-Dest` with which browsers execute or apply the answer (Fetch §2.2.7). The console sends none of them, because it
 * uses only `fetch`.
 */
const RUN_BY_BROWSER: ReadonlySet<string | undefined> = new Set([
  ...['script', 'style', 'xslt', 'manifest'],
  ...['worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet'],
]);

const isTokenArea = (name: string | undefined): name is TokenArea =>
  name === 'platform' || name === 'runtime' || name === 'prompt';

/**
 * `/admin/api/areas/{platform|runtime|prompt}/…`: forwards the console's requests to the other services with a token of the
 * signed-in user, which the browser never receives. Requests and answers are streamed.
 */
export function areaEndpoints({ db, baseUrl, gate, logger, sign, areas }: AreasOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const agent = new UpstreamAgent({
    platform: createTargets(areas.platform.targets),
    runtime: createTargets(areas.runtime.targets),
    prompt: createTargets(areas.prompt.targets),
  });

  function send(request: Request, area: TokenArea, path: string, principal: SessionPrincipal, project: Project) {
    const subject = {
      issuer: baseUrl,
      userId: principal.user.id,
      sid: principal.session.id,
      project,
      isFresh: principal.session.fresh,
    };
    return open({
      agent,
      host: area,
      method: request.method,
      path,
      headers: {
        ...requestHeaders(request.headers, {
          host: new URL(areas[area].publicUrl).host,
          token: mintAreaToken(sign, subject, area),
          requestId: requestIdOf(request),
          ip: request.ip ?? '',
        }),
        ...traceHeaders(),
      },
    });
  }

  router.use('/admin/api/areas', async (request, response) => {
    response.locals.route = '/admin/api/areas/{area}';
    const change = changeWithProof(request);
    const access = change ? ({ role: 'user', fresh: true } as const) : ({ role: 'user' } as const);
    const principal = await gate(request, response, 'credential', access, change);
    if (RUN_BY_BROWSER.has(request.get('sec-fetch-dest'))) throw new AppError('forbidden');
    const [, area, path] = /^\/(platform|runtime|prompt)(\/.*)$/.exec(request.url) ?? [];
    if (!isTokenArea(area) || !path) throw new AppError('not_found');
    if (areas[area].targets.length === 0) throw new AppError('unavailable');
    const project = await projectOf(db, request, principal);
    const call = observeCall(request.method, area);
    const upstream = call.run(() => send(request, area, path, principal, project));
    const timer = setTimeout(() => upstream.destroy(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
    onClose(response, () => {
      clearTimeout(timer);
      upstream.destroy();
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      upstream.once('response', resolve).on('error', reject);
      // Sends the headers before the body, because the service may respond before the first byte of a streamed body arrives.
      if (request.headers['transfer-encoding'] !== undefined) upstream.flushHeaders();
      request.pipe(upstream);
    }).catch((failure: unknown) => {
      request.unpipe(upstream);
      call.ended(response.destroyed ? 'aborted' : 'network');
      if (!response.destroyed) logger.warn({ err: failure, area }, 'no answer from the area');
      throw new AppError('unavailable', { cause: failure });
    });
    clearTimeout(timer);
    call.ended((answer.statusCode ?? 502) >= 500 ? 'failed' : 'answered');
    relay(answer, response);
  });
  return router;
}

/** Records a call to a service as a span and in the metrics. The call ends when its response starts. */
function observeCall(method: string, area: string) {
  const startedAt = performance.now();
  const attributes = { 'http.request.method': method, 'server.address': area };
  const span = startSpan(method, { kind: 'client', attributes });
  return {
    run: span.run,
    ended(outcome: 'answered' | 'failed' | 'aborted' | 'network') {
      telemetryEvents.upstreamCall.record({ kind: 'area', outcome, seconds: (performance.now() - startedAt) / 1_000 });
      if (outcome === 'answered') span.end();
      else span.fail(outcome);
    },
  };
}

/** Streams a response. When the service aborts the response, the connection to the browser is closed too. */
function relay(answer: IncomingMessage, response: Response): void {
  response.status(answer.statusCode ?? 502);
  for (const [name, value] of Object.entries(responseHeaders(answer.headers))) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.flushHeaders();
  answer.once('error', () => response.destroy());
  answer.once('aborted', () => response.destroy());
  answer.pipe(response);
}

/**
 * Returns the project in which a forwarded call works.
 * @throws AppError validation_error when the project does not exist, forbidden when the user does not belong to the project.
 */
async function projectOf(db: Database, request: Request, { roles, project }: SessionPrincipal): Promise<Project> {
  const isAdmin = roles.includes('admin');
  const wanted = request.get(PROJECT_HEADER);
  if (wanted === undefined) return isAdmin ? 'Core' : project;
  if (wanted === project) return wanted;
  if (!isAdmin) refuseOtherProject(wanted, PROJECT_HEADER);
  await requireProject(db.prisma, wanted, PROJECT_HEADER);
  return wanted;
}
