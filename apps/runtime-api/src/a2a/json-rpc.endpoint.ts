import { Extensions, HTTP_EXTENSION_HEADER } from '@a2a-js/sdk';
import { A2A_ERROR_CODE, RequestMalformedError, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext, type A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { A2AUser, type A2ACall } from './a2a-call.js';
import { HITL } from '../agents/a2a-interfaces.js';
import { requireLegacyParams } from './legacy-params.js';
import { BodyFault, bodyOf, notARequest } from './read-body.js';
import { sendEvents } from './send-events.js';

type Rpc = Record<string, unknown>;
type RequestWith<Body> = Request<Request['params'], unknown, Body>;
type RpcAnswer = Awaited<ReturnType<JsonRpcTransportHandler['handle']>>;

/** Methods that send a message to an agent, in both versions. */
const SENDING = ['SendMessage', 'SendStreamingMessage', 'message/send', 'message/stream'];

/** Methods whose answers are streams of events, in both versions. */
const STREAMING = ['SendStreamingMessage', 'SubscribeToTask', 'message/stream', 'tasks/resubscribe'];

/** Serves JSON-RPC 2.0 over HTTP (A2A 1.0 §9) in the A2A version that the request names. Without a version, it is 0.3 (§3.6.2). */
export function createJsonRpc(handler: A2ARequestHandler) {
  const transports = {
    '1.0': {
      transport: new JsonRpcTransportHandler(handler),
      toError: (error: unknown): object => JsonRpcTransportHandler.mapToJSONRPCError(error),
    },
    '0.3': {
      transport: new LegacyJsonRpcTransportHandler(handler),
      toError: (error: unknown): object => LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error),
    },
  };
  const versionOf = (request: Request) => request.get('A2A-Version') || '0.3';
  const servedBy = (request: Request) => (versionOf(request) === '0.3' ? transports['0.3'] : transports['1.0']);

  return {
    /** Whether the request sends a message to the agent. */
    isSending: ({ body }: RequestWith<Rpc | undefined>): boolean => SENDING.includes(String(body?.['method'])),

    /** Whether the answer is a stream of events. */
    isStreaming: ({ body }: RequestWith<Rpc | undefined>): boolean => STREAMING.includes(String(body?.['method'])),

    /** Reads the body. @throws A2AError for an unsupported version or an invalid body; BodyFault when the body is not a JSON-RPC request */
    read(request: Request): void {
      const version = versionOf(request);
      if (!(version in transports))
        throw new VersionNotSupportedError(`Versions: ${Object.keys(transports).join(', ')}.`);
      request.body = requestOf(bodyOf(request, ['application/json']));
    },

    /** Answers a request whose body was parsed. */
    async serve(request: RequestWith<Rpc>, response: Response, call: A2ACall): Promise<void> {
      const { transport, toError } = servedBy(request);
      const extensionHeader = versionOf(request) === '0.3' ? 'X-A2A-Extensions' : HTTP_EXTENSION_HEADER;
      const requestedExtensions = Extensions.parseServiceParameter(
        request.get(extensionHeader) ?? request.get(HTTP_EXTENSION_HEADER),
      );
      if (requestedExtensions.includes(HITL)) response.set(extensionHeader, HITL);
      const context = new ServerCallContext({
        requestedVersion: versionOf(request),
        requestedExtensions,
        user: new A2AUser(call),
      });
      const id = request.body['id'] ?? null;
      const failed = (error: unknown) => ({ jsonrpc: '2.0', id, error: toError(error) });
      if (versionOf(request) === '0.3') {
        try {
          requireLegacyParams(request.body);
        } catch (error) {
          response.json(failed(error));
          return;
        }
      }
      const answer = await transport.handle(request.body, context);
      if (!(Symbol.asyncIterator in answer)) {
        throwFailure(call);
        response.json(withoutInternals(answer));
        return;
      }
      await sendEvents(response, answer, (error) => {
        throwFailure(call);
        response.json(failed(error));
      });
    },

    /** Answers an unreadable request with an error of the protocol (A2A 1.0 §9.5). */
    refuse(request: Request, response: Response, error: unknown): void {
      const { code, message } = error instanceof BodyFault ? error : { code: 0, message: '' };
      response.json({
        jsonrpc: '2.0',
        id: null,
        error: code === 0 ? servedBy(request).toError(error) : { code, message },
      });
    },
  };
}
export type JsonRpc = ReturnType<typeof createJsonRpc>;

const RpcRequest = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int(), z.null()]).optional(),
  method: z.string().min(1),
});

/** @throws BodyFault when the body is not a request of JSON-RPC 2.0 */
function requestOf(body: Rpc): Rpc {
  if (!RpcRequest.safeParse(body).success) throw notARequest();
  return body;
}

function throwFailure({ failure }: A2ACall): void {
  if (failure !== undefined) throw failure as Error;
}

/**
 * Replaces an internal error of the SDK by a refusal of the parameters. The request handler stores its own internal errors in the call. An internal
 * error in the answer therefore means that the SDK could not read the parameters.
 */
function withoutInternals(answer: Exclude<RpcAnswer, AsyncGenerator>) {
  const { error } = answer as { error?: { code: number } };
  if (error?.code !== A2A_ERROR_CODE.INTERNAL_ERROR) return answer;
  return {
    ...answer,
    error: JsonRpcTransportHandler.mapToJSONRPCError(
      new RequestMalformedError('The parameters are not those of the method.'),
    ),
  };
}
