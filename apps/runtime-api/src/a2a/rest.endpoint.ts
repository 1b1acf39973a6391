import { RequestMalformedError, toRestErrorBody } from '@a2a-js/sdk/errors';
import { toLegacyHTTPError } from '@a2a-js/sdk/compat/v0_3/server';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { restHandler } from '@a2a-js/sdk/server/express';
import { createEventStreamWriter } from '@millwright/http/protocol';
import type { NextFunction, Request, Response } from 'express';
import { A2AUser, type A2ACall } from './a2a-call.js';
import { BodyFault, bodyOf } from './read-body.js';

const id = '[^/:]+';
const PUSH = `tasks/${id}/pushNotificationConfigs`;

/** Operations of A2A 1.0 §5.3: method, path below the endpoint, and name in metrics. In version 0.3, the paths also exist below `v1`. */
const OPERATIONS = [
  { methods: ['POST'], path: 'message:send', name: 'message:send', sends: true },
  { methods: ['POST'], path: 'message:stream', name: 'message:stream', sends: true, streams: true },
  { methods: ['GET', 'HEAD'], path: 'tasks', name: 'tasks' },
  { methods: ['GET', 'HEAD'], path: `tasks/${id}`, name: 'tasks/{id}' },
  { methods: ['POST'], path: `tasks/${id}:cancel`, name: 'tasks/{id}:cancel' },
  { methods: ['GET', 'POST'], path: `tasks/${id}:subscribe`, name: 'tasks/{id}:subscribe', streams: true },
  { methods: ['GET', 'HEAD', 'POST'], path: PUSH, name: 'tasks/{id}/pushNotificationConfigs' },
  { methods: ['GET', 'HEAD', 'DELETE'], path: `${PUSH}/[^/]+`, name: 'tasks/{id}/pushNotificationConfigs/{config_id}' },
  { methods: ['GET', 'HEAD'], path: 'extendedAgentCard|card', name: 'extendedAgentCard' },
].map((operation) => ({ sends: false, streams: false, ...operation, path: new RegExp(`^/(?:${operation.path})$`) }));

export type RestOperation = (typeof OPERATIONS)[number];

const isLegacy = (request: Request) => ['', '0.3'].includes(request.get('A2A-Version') ?? '');

/** Finds the operation by the path below an agent's endpoint, for any method. Paths below `v1` belong to version 0.3. */
export function operationOf(request: Request): RestOperation | undefined {
  const [, version = '', path = ''] = /^(\/v1)?(\/.*)$/.exec(request.path) ?? [];
  if (version !== '' && !isLegacy(request)) return undefined;
  return OPERATIONS.find((operation) => operation.path.test(path));
}

/** Serves the binding HTTP+JSON (A2A 1.0 §11). */
export function createRest(handler: A2ARequestHandler) {
  const serve = restHandler({
    requestHandler: handler,
    userBuilder: (request) => Promise.resolve(userOf(request)),
    legacyCompat: { enabled: true },
  });

  return {
    /** Reads the body. @throws A2AError for another content type or an invalid body; BodyFault when the body is not JSON or not an object */
    read(request: Request): void {
      request.body = bodyOf(request, ['application/json', 'application/a2a+json']);
    },

    serve(request: Request, response: Response, next: NextFunction, call: A2ACall): void {
      response.locals['user'] = new A2AUser(call);
      response.set('Cache-Control', 'no-store');
      createEventStreamWriter(response); // the writer sends only keep-alive comments; the SDK writes the events
      shieldAnswer(request, response, next, call);
      serve(request, response, next);
    },

    /** Answers an unreadable request with an error of the protocol (A2A 1.0 §11.6). */
    refuse(request: Request, response: Response, error: unknown): void {
      const fault = error instanceof BodyFault ? new RequestMalformedError(error.message) : error;
      response.status(400).set('Cache-Control', 'no-store').json(errorBody(request, fault));
    },
  };
}
export type Rest = ReturnType<typeof createRest>;

/**
 * Returns the user of the current request. `serve` stores the user in the response's locals, because the SDK's handler is created once for all
 * requests.
 */
function userOf(request: Request): A2AUser {
  const user: unknown = request.res?.locals['user'];
  if (user instanceof A2AUser) return user;
  throw new Error('a request of A2A comes without its call');
}

const errorBody = (request: Request, error: unknown) =>
  isLegacy(request) && request.path.startsWith('/v1/') ? toLegacyHTTPError(error) : toRestErrorBody(error, 400);

/**
 * Replaces the SDK's answers of status 500, because they contain the text of the error. A failure that is stored in the call is answered in the
 * service's own error form. Any other failure means that the SDK could not read the request, and is answered with 400.
 */
function shieldAnswer(request: Request, response: Response, next: NextFunction, call: A2ACall): void {
  const json = response.json.bind(response);
  response.json = (body: unknown) => {
    response.json = json;
    if (response.statusCode < 500) return json(body);
    response.status(200).removeHeader('Content-Type');
    if (call.failure !== undefined) next(call.failure);
    else
      response
        .status(400)
        .json(errorBody(request, new RequestMalformedError('The request is not that of the operation.')));
    return response;
  };
}
