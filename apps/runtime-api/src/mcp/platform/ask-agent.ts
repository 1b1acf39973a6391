import { callerOf, type Principal } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { Route } from '@millwright/http';
import { NewMessage, sendMessage, type AgentMessage } from '../../messages/messages.contract.js';

/** Who asks, and until when. */
export interface Asking {
  principal: Principal;
  from: { requestId: string; ip: string };
  signal: AbortSignal;
}

export type AskAgent = (asking: Asking, agent: string, message: unknown) => Promise<AgentMessage>;

/** Runs an agent as `POST /api/v1/agents/{agent_name}/messages` does. @throws what it throws, ZodError for a bad message */
export function createAskAgent(db: Database, routes: readonly Route[]): AskAgent {
  const send = routes.find(({ contract }) => contract.operationId === sendMessage.operationId);
  if (!send) throw new Error('there is no endpoint that runs agents');
  return async ({ principal, from, signal }, agent_name, message) => {
    const reply = await send.handler({
      principal,
      caller: callerOf(principal, from),
      from,
      params: { agent_name },
      query: undefined,
      headers: undefined,
      body: NewMessage.parse(message),
      ifMatch: undefined,
      idempotencyKey: undefined,
      emit: undefined,
      events: undefined,
      text: undefined,
      receive: undefined,
      signal,
      commit: (work) => db.transaction(work),
    });
    return reply.body as AgentMessage;
  };
}
