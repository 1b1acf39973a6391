import { request as open, type IncomingMessage } from 'node:http';
import { mintAreaToken, type NewToken, type Project, type TokenArea } from '@millwright/auth';
import { AppError, invalidField } from '@millwright/errors';
import { signals, startSpan, traceHeaders } from '@millwright/telemetry';
import { createTargets, requestIdOf, UpstreamAgent, type Gate, type Logger } from '@millwright/http';
import { Router, type Request, type Response } from 'express';
import { contextOf, type UserContext } from '../sessions/user-context.js';
import { requestHeaders, responseHeaders } from './area-headers.js';

export interface AreasOptions {
  baseUrl: string;
  gate: Gate;
  logger: Logger;
  sign: (token: NewToken) => string;
  /** Where clients reach each area, and where its replicas are; none where it is not deployed. */
  areas: Readonly<Record<TokenArea, { publicUrl: string; targets: readonly string[] }>>;
}

/** Longer than an area takes to begin its longest answer. */
const ANSWER_TIMEOUT_MS = 120_000;

/** In which project an admin works. */
const PROJECT_HEADER = 'x-millwright-project';

/**
 * `/admin/api/areas/{platform|runtime|prompt}/…`: the console's requests to the other areas, sent on with a token for the
 * signed-in user that the browser never sees. Both ways stream.
 */
export function areaEndpoints({ baseUrl, gate, logger, sign, areas }: AreasOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const agent = new UpstreamAgent({
    platform: createTargets(areas.platform.targets),
    runtime: createTargets(areas.runtime.targets),
    prompt: createTargets(areas.prompt.targets),
  });

  function send(request: Request, area: TokenArea, path: string, context: UserContext) {
    const subject = {
      issuer: baseUrl,
      userId: context.principal.user.id,
      sid: context.sessionId,
      project: projectOf(request, context),
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
    response.locals['route'] = '/admin/api/areas/{area}';
    await gate(request, response, 'credential', true);
    const context = contextOf(request);
    const [, area, path] = /^\/(platform|runtime|prompt)(\/.*)$/.exec(request.url) ?? [];
    if (!context || !area || !path) throw new AppError('not_found');
    if (areas[area as TokenArea].targets.length === 0) throw new AppError('unavailable');
    const call = observeCall(request.method, area);
    const upstream = call.run(() => send(request, area as TokenArea, path, context));
    const timer = setTimeout(() => upstream.destroy(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
    response.once('close', () => {
      clearTimeout(timer);
      upstream.destroy();
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      upstream.once('response', resolve).on('error', reject);
      // The area may answer before the first of a streamed body comes.
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

/** A span and a count of one call of an area: over when its answer has begun. */
function observeCall(method: string, area: string) {
  const startedAt = performance.now();
  const attributes = { 'http.request.method': method, 'server.address': area };
  const span = startSpan(method, { kind: 'client', attributes });
  return {
    run: span.run,
    ended(outcome: 'answered' | 'failed' | 'aborted' | 'network') {
      signals.upstreamCall.tell({ kind: 'area', outcome, seconds: (performance.now() - startedAt) / 1_000 });
      if (outcome === 'answered') span.end();
      else span.fail(outcome);
    },
  };
}

/** An answer as it comes; one that breaks off breaks off here too. */
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

/** @throws AppError validation_error, forbidden for a project that is not the user's. */
function projectOf(request: Request, { isAdmin, principal }: UserContext): Project {
  const wanted = request.get(PROJECT_HEADER);
  if (wanted === undefined) return isAdmin ? 'Core' : principal.project;
  if (wanted !== 'Core' && wanted !== 'Commerce') throw invalidField(PROJECT_HEADER, 'must be one of Core, Commerce');
  if (!isAdmin && wanted !== principal.project) throw new AppError('forbidden');
  return wanted;
}
