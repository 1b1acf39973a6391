import { A2A_ERROR_CODE, RequestMalformedError, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext, type A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Request, Response } from 'express';
import { A2AUser, type A2ACall } from './a2a-call.js';
import { bodyOf, NotJson } from './read-body.js';
import { sendEvents } from './send-events.js';

type Rpc = Record<string, unknown>;
type RpcAnswer = Awaited<ReturnType<JsonRpcTransportHandler['handle']>>;

/** Methods that send a message to an agent, in both versions. */
const SENDING = ['SendMessage', 'SendStreamingMessage', 'message/send', 'message/stream'];

/** §9: JSON-RPC 2.0 over HTTP, in the version that the request names; none is 0.3 (§3.6.2). */
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
    /** Whether the request would have an agent work. */
    isSending: ({ body }: Request): boolean => SENDING.includes(String((body as Rpc | undefined)?.['method'])),

    /** Reads the body. @throws A2AError, NotJson */
    read(request: Request): void {
      const version = versionOf(request);
      if (!(version in transports))
        throw new VersionNotSupportedError(`Versions: ${Object.keys(transports).join(', ')}.`);
      request.body = bodyOf(request, ['application/json']);
    },

    /** Answers a request that was read. */
    async serve(request: Request, response: Response, call: A2ACall): Promise<void> {
      const { transport, toError } = servedBy(request);
      const context = new ServerCallContext({ requestedVersion: versionOf(request), user: new A2AUser(call) });
      const answer = await transport.handle(request.body as Rpc, context);
      if (!(Symbol.asyncIterator in answer)) {
        throwFailure(call);
        response.json(withoutInternals(answer));
        return;
      }
      const id = (request.body as Rpc)['id'] ?? null;
      const failed = (error: unknown) => ({ jsonrpc: '2.0', id, error: toError(error) });
      await sendEvents(response, answer, (error) => {
        throwFailure(call);
        response.json(failed(error));
      });
    },

    /** §9.5: an error of the protocol, as the answer to what could not be read. */
    refuse(request: Request, response: Response, error: unknown): void {
      const parseError = { code: A2A_ERROR_CODE.PARSE_ERROR, message: 'The body is not JSON.' };
      response.json({
        jsonrpc: '2.0',
        id: null,
        error: error instanceof NotJson ? parseError : servedBy(request).toError(error),
      });
    },
  };
}
export type JsonRpc = ReturnType<typeof createJsonRpc>;

function throwFailure({ failure }: A2ACall): void {
  if (failure !== undefined) throw failure as Error;
}

/** What our handler does not name is a fault of parameters that the SDK could not read. */
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
