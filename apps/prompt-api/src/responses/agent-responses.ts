import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, newId } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { agentMessages } from '../chat/agent-messages.js';
import type { AgentRuns, SettledAgent } from '../chat/agent-runs.js';
import { messageItemId } from '../conversations/items.js';
import type { FileReader, ReadFile } from '../models/file-reader.js';
import { parseModelName } from '../models/model-name.js';
import type { ResponseEvents } from './response-events.js';
import { begun, responseUuid } from './response-object.js';
import { isDecision, isReference, type InputItem, type Requested } from './response-request.js';
import type { OutputItem, ResponseObject } from './responses.contract.js';
import { inputMessages } from './to-run.js';

export interface AgentResponseRequest {
  caller: Caller;
  body: Requested;
  idempotencyKey: string | undefined;
  events: ResponseEvents | undefined;
  signal: AbortSignal;
}

/** Maximum number of decisions in one request. The model of a run makes at most 16 calls at once, so a client needs fewer. */
const MOST_DECISIONS = 100;

/** Returns the slug of the agent that a request names as its model; `undefined` for other requests. */
export function agentOf({ prompt, model }: Requested): string | undefined {
  const named = prompt ? undefined : parseModelName(model);
  return named?.kind === 'agent' ? named.slug : undefined;
}

/**
 * Maps OpenAI's responses to runs of agents. The UUID of a response is the UUID of its run. A response that
 * decides about calls has the UUID of the first decided approval. Responses are not stored, but the runs and conversations of agents are.
 */
export function createAgentResponses(agents: Pick<AgentRuns, 'start' | 'decide' | 'settle'>, fileReader: FileReader) {
  return {
    /** @throws AppError forbidden, not_found, validation_error, agent_stopped, guard_blocked, conflict, unavailable */
    async answer(slug: string, request: AgentResponseRequest): Promise<ResponseObject> {
      const { caller, body, idempotencyKey, events, signal } = request;
      requireAgentRequest(body);
      const decisions = decisionsIn(body);
      const messageId = newId();
      let [uuid, runId] = ['', ''];
      if (decisions.length > 0) {
        const previous = responseUuid(body.previous_response_id ?? '');
        if (previous === '') throw invalidField('previous_response_id', 'must name the response with the requests');
        uuid = decisions[0]?.approvalId ?? '';
        runId = await agents.decide({ caller, slug, previous, decisions });
      } else {
        const messages = await messagesOf(body, fileReader(caller));
        runId = await agents.start({
          ...{ caller, slug, messages, idempotencyKey, signal },
          ...{ channel: 'responses', onText: undefined },
        });
        uuid = runId;
      }
      const draft = begun(uuid, { ...body, input: undefined }, body.model ?? '', new Date());
      events?.begin(draft, encodeId('msg', messageId), false);
      events?.created();
      const settled = await agents.settle(runId, { onText: undefined, signal });
      return {
        ...draft,
        ...{ status: 'completed', completed_at: Math.floor(Date.now() / 1_000) },
        output: outputOf(settled, messageId),
        usage: {
          input_tokens: settled.usage.prompt_tokens,
          output_tokens: settled.usage.completion_tokens,
          total_tokens: settled.usage.total_tokens,
        },
      };
    },
  };
}
export type AgentResponses = ReturnType<typeof createAgentResponses>;

function outputOf({ text, pending }: SettledAgent, messageId: string): OutputItem[] {
  if (pending.length === 0)
    return [
      {
        ...{ id: messageItemId(messageId), type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ];
  return pending.map(({ id, tool: name, arguments: args, ownerName }) => ({
    ...{ id: encodeId('apr', id), type: 'mcp_approval_request', name, arguments: args, server_label: ownerName },
  }));
}

/** Refuses fields that the agent itself defines, such as tools. @throws AppError validation_error for the first such field */
function requireAgentRequest(body: Requested): void {
  const { tools = [], tool_choice: choice, text, reasoning, truncation } = body;
  const unsupported: Record<string, boolean> = {
    tools: tools.length > 0,
    tool_choice: choice !== undefined && choice !== 'auto' && choice !== 'none',
    parallel_tool_calls: body.parallel_tool_calls === false,
    temperature: body.temperature !== undefined,
    top_p: body.top_p !== undefined,
    max_output_tokens: body.max_output_tokens !== undefined,
    'reasoning.effort': reasoning?.effort !== undefined,
    'text.format': text?.format !== undefined && text.format.type !== 'text',
    'text.verbosity': text?.verbosity !== undefined,
    truncation: truncation === 'disabled',
    background: body.background === true,
    conversation: body.conversation !== undefined,
  };
  const given = Object.entries(unsupported).find(([, isGiven]) => isGiven);
  if (given) throw invalidField(given[0], 'is not supported for an agent');
  if (body.store === false)
    throw invalidField('store', 'must not be false for an agent, which keeps its conversations');
}

/**
 * Returns the decisions in a request.
 * @throws AppError validation_error for an invalid decision, and for a request with decisions and other items or instructions
 */
export function decisionsIn({ input, instructions }: Requested) {
  const items = Array.isArray(input) ? input : [];
  const found = items.flatMap((item, index) => (isDecision(item) ? [{ item, field: `input.${index}` }] : []));
  if (found.length === 0) return [];
  if (found.length < items.length) throw invalidField('input', 'with an mcp_approval_response must have nothing else');
  if (found.length > MOST_DECISIONS) throw invalidField('input', `must have at most ${MOST_DECISIONS} decisions`);
  if (instructions !== undefined) throw invalidField('instructions', 'cannot be given with an mcp_approval_response');
  return found.map(({ item, field }) => {
    const name = `${field}.approval_request_id`;
    const approvalId = decodeId('apr', item.approval_request_id);
    if (approvalId === undefined) throw invalidField(name, 'is no id of an mcp_approval_request');
    return { approvalId, field: name, approve: item.approve, reason: item.reason };
  });
}

async function messagesOf({ input, instructions, previous_response_id: previous }: Requested, readFile: ReadFile) {
  if (previous !== undefined)
    throw invalidField('previous_response_id', 'of an agent is for decisions: send the messages of the conversation');
  const items = typeof input === 'string' ? input : (input ?? []).map(requireItem);
  const first = instructions === undefined ? [] : [{ role: 'system' as const, content: instructions }];
  return agentMessages([...first, ...(await inputMessages(items, readFile))], 'input');
}

function requireItem(item: Exclude<Requested['input'], string | undefined>[number], index: number): InputItem {
  if (isReference(item)) throw invalidField(`input.${index}`, 'is a reference, which is not supported for an agent');
  if (isDecision(item)) throw new Error('decisions are read before messages');
  return item;
}
