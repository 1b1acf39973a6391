import { createHash } from 'node:crypto';
import type { Caller } from '@millwright/auth';
import { allowsTool } from '@millwright/auth/tool-lists';
import { AGENT_TOOLS, type UnmarkedTools } from '@millwright/auth/tool-rules';
import type { CallableAgent, RunnableAgent } from '@millwright/catalog';
import { decodeId, encodeId } from '@millwright/db';
import { z } from 'zod';
import { NewMessage } from '../conversations/new-message.js';
import { ASK, BUILTIN } from './builtin-names.js';
import type { CallAgent } from './call-agent.js';
import { entryOf } from './call-tool.js';
import { ALLOWED, ruleFor } from './rule-of.js';
import { failed, type AgentTool } from './tool.js';

const Message = z.strictObject({
  message: NewMessage.shape.content.describe(
    'Everything that the agent has to know: it does not see this conversation',
  ),
});

/** Hash of the agent's version. It serves as the hash of the tool's definition, because each change of the agent increments the version. */
const versionHash = ({ id, version }: CallableAgent): Buffer =>
  createHash('sha256').update(`${id}:${version}`).digest();

/**
 * The tools by which an agent calls other agents. There are none when the caller lacks the scope `agents:message`, because an agent does
 * not extend the scopes of its caller.
 */
export function listAgentTools(
  { callees, unmarkedTools }: { callees: readonly CallableAgent[]; unmarkedTools: UnmarkedTools },
  caller: Caller,
  agent: RunnableAgent,
  callAgent: CallAgent,
): AgentTool[] {
  if (!caller.scopes?.has('agents:message')) return [];
  const { only } = agent;
  const toTool = (callee: CallableAgent): AgentTool => {
    const { name, slug, description } = callee;
    const id = encodeId('ag', callee.id);
    return {
      name: `${ASK}${slug}`,
      description: description || `Sends a message to the agent ${name}.`,
      parameters: z.toJSONSchema(Message),
      owner: { name, id },
      // The audit row of a call is written in the transaction that starts the callee's run.
      recordsItself: true,
      rule: ruleFor(agent, unmarkedTools, callee, AGENT_TOOLS, id),
      definitionHash: versionHash(callee),
      // A repeated call finds the run that the step has already started, and does not start a second run.
      isRepeatable: true,
      check(args) {
        const { error } = Message.safeParse(args);
        const faults = error?.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
        return Promise.resolve(faults && failed('The arguments are not valid.', { faults }));
      },
      call(args, run, sent) {
        const { message } = Message.parse(args);
        const entry = entryOf(caller, agent, this, this.name, run, sent);
        return callAgent({ callee, message, run, sent, entry, keep: (tx) => sent.keep(tx, this) });
      },
    };
  };
  return callees
    .filter(({ id }) => only?.callees?.includes(encodeId('ag', id)) ?? true)
    .filter(({ slug }) => allowsTool([caller.mcpTools], BUILTIN, `${ASK}${slug}`))
    .map(toTool);
}

/** A call of an agent that was started and has no result yet. */
export interface BegunAgentCall {
  /** The name by which the model called the agent. */
  tool: string;
  /** The agent's id in the form of the API. */
  server: string;
}

/**
 * The tools of calls that were started before, for agents that were since deleted or that the agent may no longer call. The runs of these
 * calls continue, and the model reads their answers. New calls of these tools are refused.
 */
export const listBegunAgentTools = (
  begun: readonly BegunAgentCall[],
  caller: Caller,
  agent: RunnableAgent,
  callAgent: CallAgent,
): AgentTool[] =>
  begun.map(({ tool, server }): AgentTool => {
    const slug = tool.slice(ASK.length);
    return {
      name: tool,
      description: '',
      parameters: z.toJSONSchema(Message),
      owner: { name: slug, id: server },
      recordsItself: true,
      rule: ALLOWED,
      isRepeatable: true,
      check: () => Promise.resolve(undefined),
      call(args, run, sent) {
        const callee = { id: decodeId('ag', server) ?? '', slug };
        const entry = entryOf(caller, agent, this, this.name, run, sent);
        const message = String(args['message']);
        return callAgent({ callee, message, run, sent, entry, keep: (tx) => sent.keep(tx, this) });
      },
    };
  });
