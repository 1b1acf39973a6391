import { randomUUID } from 'node:crypto';
import { McpCallFailed } from '../call-failure.js';
import type { McpToolCall } from '../call-audit.js';
import type { McpServers } from '../mcp-servers.js';
import { abandoned, type McpLimits } from '../sdk-client.js';
import type { AdmissionOptions, ConnectedServer } from '../server-connections.js';
import { markProbeDue } from '../servers.store.js';
import type { McpToolResult } from '../tool-result.js';
import { createCardCache, readAgentCard, type CardSource } from './agent-card.js';
import { AgentArguments, sendToAgent } from './send-to-agent.js';

/** Limits of one message. They are larger than those of a tool's call, because a task of an agent takes longer. */
const TASK_LIMITS: McpLimits = { timeoutMs: 600_000, maxBytes: 1024 * 1024 };

/** An outside agent with the hash of its approved definition. */
type OutsideAgent = ConnectedServer & CardSource & { hash: Buffer };

/**
 * Sends messages to outside agents. A message is sent only while the agent's card, at most 30 seconds old, equals the approved card.
 *
 * @throws McpCallFailed, NotConnected, EgressError, the errors of A2A clients, or the reason of the signal
 */
export function createAgentCaller({ db, connections }: McpServers, limits = TASK_LIMITS) {
  const cards = createCardCache();

  return (agent: OutsideAgent, call: McpToolCall, options: AdmissionOptions): Promise<McpToolResult> =>
    connections.withAccess(agent, options, async ({ fetch, fetchAfterwards, withoutCredential }) => {
      const { data: args } = AgentArguments.safeParse(call.arguments);
      if (!args) return { is_error: true, text: 'The arguments are message, and optionally task_id and context_id.' };
      // The request for the card does not use the signal of the caller, because other calls share the request.
      const reading = cards(keyOf(agent), () => readAgentCard(agent, { fetch, fetchKeys: withoutCredential }));
      const { card, hash } = await (call.signal ? abandoned(call.signal, reading) : reading);
      if (hash !== agent.hash.toString('hex')) {
        await markProbeDue(db.prisma, agent.id);
        throw new McpCallFailed('not_available', 'The agent is no longer as it was approved.');
      }
      call.beforeSend?.();
      const messageId = call.idempotencyKey ?? randomUUID();
      return sendToAgent(args, { card, messageId, fetch, fetchAfterwards, limits, signal: call.signal });
    });
}

/**
 * Key of a cached card. It includes the address, the credential, the user and the rule for signatures, because another
 * value of one of these may lead to another card.
 */
const keyOf = ({ id, url, headers, auth, userId, require_signed_card, card_jwks_url }: OutsideAgent) =>
  JSON.stringify([id, url, headers, auth, userId, require_signed_card, card_jwks_url]);
