import { isDeepStrictEqual } from 'node:util';
import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { AgentDraft } from '@millwright/catalog';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { REASONING_EFFORTS, type ModelParameters } from '@millwright/models/parameters';
import type { AgentRuns, SettledAgent } from '../chat/agent-runs.js';
import type { KeptMessage, ToolCall } from '../chat/agent-runs.store.js';
import { messageItemId } from '../conversations/items.js';
import type { RequireContinuable } from '../conversations/require-continuable.js';
import { userTurn } from '../runs/compose.js';
import type { HistoryMessage } from '../runs/fit-history.js';
import { prepareMessage, type RenderService } from '../runs/render.service.js';
import { splitMessages } from '../runs/split-messages.js';
import { decisionsIn } from './agent-responses.js';
import type { NamedServerStore } from './named-servers.store.js';
import { begun, responseId, responseUuid, withEnd } from './response-object.js';
import { isDecision, isReference, type Requested } from './response-request.js';
import { createResponse, type OutputItem, type ResponseObject } from './responses.contract.js';
import {
  askedTurns,
  FOR_WAITING,
  type AnswerRequest,
  type PreparedResponse,
  type ResponseService,
} from './responses.service.js';
import type { ResponseStore } from './responses.store.js';
import { attach } from './server-tools.js';
import { inRequestTerms, structuredData } from './to-run.js';

export interface ToolResponsesDeps {
  db: Pick<Database, 'transaction'>;
  agents: Pick<
    AgentRuns,
    | 'requireServerScopes'
    | 'prepareUnsaved'
    | 'decideUnsaved'
    | 'settle'
    | 'look'
    | 'followed'
    | 'runOf'
    | 'callsOf'
    | 'askedBy'
  >;
  service: Pick<ResponseService, 'prepare' | 'addTurns'>;
  servers: NamedServerStore;
  responses: ResponseStore;
  renderer: Pick<RenderService, 'prepare'>;
  requireContinuable: RequireContinuable;
}

/** A response that is ready to be stored. The caller calls `start` in a transaction, and `queue` after the commit. */
interface StartedResponse {
  /** Row id of the run. */
  runId: string;
  draft: ResponseObject;
  /**
   * Stores the response in progress, together with its new run or with the decisions. Undefined when an earlier attempt of the request has stored
   * them.
   */
  start: ((tx: Tx) => Promise<ResponseObject>) | undefined;
  /** Queues the run. Must be called after the commit. */
  queue: () => void;
}

/** Fields of a stored user message that repeats earlier texts of models: they make the run tainted. */
const TAINTED = { untrusted: true, source: 'conversation' };

/** Maximum length of an agent's instructions in characters. */
const INSTRUCTIONS_LENGTH = 100_000;
const NAME_LENGTH = 100;

const isServerTool = <Tool extends { type: string }>(tool: Tool): tool is Extract<Tool, { type: 'mcp' }> =>
  tool.type === 'mcp';

/** Whether this installation executes tools for the request: the request names MCP servers, or decides about calls. */
export const runsTools = ({ tools = [], input }: Pick<Requested, 'tools' | 'input'>): boolean =>
  tools.some(isServerTool) || (Array.isArray(input) && input.some(isDecision));

/** Whether a stored response has tools of MCP servers, which this installation executes. */
export const ranTools = ({ tools }: ResponseObject): boolean => tools.some(isServerTool);

/**
 * Maps responses with tools of MCP servers to runs of unsaved agents, which have the request's model, instructions and tools. The UUID of a
 * response is the UUID of its run. A response that decides about calls has the UUID of the first decided approval. A response is stored
 * when its run starts. The first reader after the run has settled stores the outcome, so that no outcome is lost when a process dies.
 */
export function createToolResponses({
  db,
  agents,
  service,
  servers,
  responses,
  renderer,
  requireContinuable,
}: ToolResponsesDeps) {
  async function attachedTools(caller: Caller, tools: Requested['tools'] = []) {
    const named = tools.flatMap((tool, index) => (isServerTool(tool) ? [{ tool, field: `tools.${index}` }] : []));
    const labels = named.map(({ tool }) => tool.server_label);
    await agents.requireServerScopes(caller, labels.join(' '));
    return attach(named, await servers.find(caller.project, labels));
  }

  async function begin({
    caller,
    principal,
    body: requested,
    idempotencyKey,
  }: AnswerRequest): Promise<StartedResponse> {
    requireServable(requested);
    const tools = await attachedTools(caller, requested.tools);
    const prepared = await service.prepare(caller, requested);
    const { body, prompt, past, model, guards, items, shown } = prepared;
    if (prompt && Object.keys(prompt.output.resolved_schema).length > 0)
      throw invalidField(
        body.prompt ? 'prompt' : 'model',
        'has an output schema, which is not supported with tools of type mcp',
      );
    const split = splitMessages(items);
    const values = {
      message: split.message,
      ...(prompt && body.prompt && { structured_data: structuredData(prompt, body.prompt) }),
    };
    const { sent, historyTokens, render } = prompt
      ? await renderer.prepare(principal, prompt, values, guards)
      : await prepareMessage(values.message, guards);
    const refers = Array.isArray(requested.input) && requested.input.some(isReference);
    const given = spoken(split.history);
    const history = [...spoken(past.history).map(asKept), ...(refers ? given.map(asKept) : given)];
    const isInserted = historyTokens > 0;
    const rendered = render(isInserted ? history : []);
    const content = userTurn(rendered, sent.message);
    if (content === '') throw invalidField('input', "must end with the user's message");
    const instructions = [
      ...[rendered.static, rendered.state, shown.instructions ?? '', ...split.instructions],
      ...[...past.history, ...split.history].flatMap(({ role, content: text }) => (role === 'system' ? [text] : [])),
    ].filter((text) => text !== '');
    const run = await agents.prepareUnsaved({
      caller,
      idempotencyKey,
      draft: {
        ...AgentDraft.parse({
          ...tools,
          name: (prompt?.metadata.title ?? model).trim().slice(0, NAME_LENGTH) || undefined,
          instructions: requireShort(instructions.join('\n\n'), prompt ? 'prompt' : 'instructions'),
          model_parameters: { ...prompt?.model_parameters, ...parametersOf(body) },
        }),
        model: prepared.runModel,
      },
      messages: [
        ...(isInserted ? [] : history),
        { role: 'user', content, ...(isInserted && history.some(({ untrusted }) => untrusted) && TAINTED) },
      ],
    });
    const draft = begun(run.id, shown, model, new Date());
    return {
      runId: run.id,
      draft,
      queue: run.queue,
      start: run.isStarted
        ? undefined
        : async (tx) => {
            await run.start(tx);
            const turns = askedTurns(items, sent.message || rendered.dynamic, model);
            const place = await service.addTurns(tx, caller, prepared, turns);
            const response = { ...draft, conversation: { id: place.conversationId } };
            await responses.add(tx, caller.project, run.id, place, response);
            await recordStart(tx, caller, prepared, response);
            return response;
          },
    };
  }

  /** Prepares decisions about calls of an earlier response. The run of that response continues with its original settings. */
  async function goOn({ caller, body }: AnswerRequest): Promise<StartedResponse> {
    const decisions = decisionsIn(body);
    const id = body.previous_response_id ?? '';
    await requireContinuable(caller, { action: createResponse.operationId, resource: id, stored: true });
    const place = await responses.placeOf(caller.project, id);
    const previous = place && (await responses.find(caller.project, id));
    if (!previous || !ranTools(previous)) {
      if (body.previous_response_id === undefined)
        throw invalidField('previous_response_id', 'must name the response with the requests');
      throw invalidField('input.0', FOR_WAITING);
    }
    requireSame(body, previous);
    const {
      id: runId,
      decide,
      goOn: queue,
    } = await agents.decideUnsaved({
      ...{ caller, previous: responseUuid(id), decisions },
    });
    const uuid = decisions[0]?.approvalId ?? '';
    const draft: ResponseObject = {
      ...previous,
      ...{
        id: responseId(uuid),
        created_at: Math.floor(Date.now() / 1_000),
        completed_at: null,
        status: 'in_progress',
      },
      ...{ background: body.background ?? false, previous_response_id: id, metadata: body.metadata ?? {} },
      ...{ output: [], usage: null },
    };
    return {
      runId,
      draft,
      queue,
      async start(tx) {
        await decide(tx);
        await responses.add(tx, caller.project, uuid, place, draft);
        return draft;
      },
    };
  }

  /**
   * Returns the items of a response: first the tool calls since the decisions that created the response, then its answer or its requests for
   * decisions.
   */
  async function outputOf(response: ResponseObject, runId: string, { text, pending }: SettledAgent, messageId: string) {
    const uuid = responseUuid(response.id);
    const since = uuid === runId ? 0 : await agents.askedBy([uuid]);
    const calls = (await agents.callsOf(runId, since)).map((call) => toCallItem(runId, call));
    const ended: OutputItem[] =
      pending.length > 0
        ? pending.map(({ id, tool, arguments: args, ownerName }) => ({
            ...{ id: encodeId('apr', id), type: 'mcp_approval_request', name: ownName(tool, ownerName) },
            ...{ arguments: args, server_label: ownerName },
          }))
        : [
            {
              ...{ id: messageItemId(messageId), type: 'message', role: 'assistant', status: 'completed' },
              content: [{ type: 'output_text', text, annotations: [] }],
            },
          ];
    return [...calls, ...ended];
  }

  /** Stores the outcome of a run in the run's response, unless the response already has an outcome. @returns the response with its outcome */
  async function finish(tx: Tx, caller: Caller, draft: ResponseObject, runId: string, settled: SettledAgent) {
    const uuid = responseUuid(draft.id);
    const found = await responses.lock(tx, uuid);
    if (found && found.body.status !== 'in_progress') return found.body;
    const messageId = newId();
    const { text, usage, pending } = settled;
    const answer = { id: messageId, role: 'assistant' as const, content: text, model: draft.model };
    const past = found && { conversationId: found.place.conversationId, seq: found.place.seq, history: [], unread: 0 };
    const place =
      past && pending.length === 0
        ? await service.addTurns(tx, caller, { prompt: undefined, past, model: draft.model }, [answer])
        : found?.place;
    const response: ResponseObject = {
      ...(found?.body ?? draft),
      ...{ status: 'completed', completed_at: Math.floor(Date.now() / 1_000) },
      output: await outputOf(draft, runId, settled, messageId),
      ...(place && { conversation: { id: place.conversationId } }),
      usage: {
        ...{ input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
        total_tokens: usage.total_tokens,
      },
    };
    // A response that was deleted meanwhile is returned but not stored.
    if (place) await responses.complete(tx, uuid, place, response);
    return response;
  }

  return {
    /** @throws AppError forbidden, validation_error, guard_blocked; conflict for a call that is decided or overdue */
    begin: (request: AnswerRequest): Promise<StartedResponse> => {
      const decides = Array.isArray(request.body.input) && request.body.input.some(isDecision);
      return (decides ? goOn(request) : begin(request)).catch((error: unknown) => {
        throw inRequestTerms(error);
      });
    },

    /**
     * Waits until the run of a response has an outcome.
     *
     * @returns a function that stores the outcome in a transaction
     * @throws AppError like `AgentRuns.settle`
     */
    async settle(
      caller: Caller,
      { draft, runId }: Pick<StartedResponse, 'draft' | 'runId'>,
      signal: AbortSignal,
    ): Promise<(tx: Tx) => Promise<ResponseObject>> {
      const settled = await agents.settle(runId, { onText: undefined, signal });
      return (tx) => finish(tx, caller, draft, runId, settled);
    },

    /**
     * Returns a stored response in progress with the current state of its run. If the run has an outcome, the response is completed and stored with
     * it.
     */
    async catchUp(caller: Caller, response: ResponseObject): Promise<ResponseObject> {
      const runId = await agents.runOf(responseUuid(response.id));
      if (runId === undefined) return withEnd(response, undefined);
      const { status, settled } = await agents.look(runId);
      if (!settled) return withEnd(response, status);
      return db.transaction((tx) => finish(tx, caller, response, runId, settled));
    },

    /** Waits until the run of a response has ended or waits for a person. */
    async followed(response: ResponseObject, signal: AbortSignal): Promise<void> {
      const runId = await agents.runOf(responseUuid(response.id));
      if (runId !== undefined) await agents.followed(runId, signal);
    },

    /** Returns the row id of the run of a response. */
    runOf: async (response: ResponseObject): Promise<string> =>
      (await agents.runOf(responseUuid(response.id))) ?? responseUuid(response.id),
  };
}
export type ToolResponses = ReturnType<typeof createToolResponses>;

/** Returns the name of a tool at its server. In a call of the model, the slug of the server precedes this name. */
const ownName = (tool: string, label: string): string =>
  tool.startsWith(`${label}__`) ? tool.slice(label.length + 2) : tool;

function toCallItem(runId: string, { seq, tool, label, arguments: args, ok, result, approval }: ToolCall): OutputItem {
  return {
    ...{ id: `mcp_${encodeId('run', runId).slice('run_'.length)}_${seq}`, type: 'mcp_call' },
    ...{ status: ok ? 'completed' : 'failed', name: ownName(tool, label), arguments: args, server_label: label },
    approval_request_id: approval === null ? null : encodeId('apr', approval),
    ...{ output: ok ? result : null, error: ok ? null : result },
  };
}

/** Refuses fields that a run with tools of MCP servers does not support. @throws AppError validation_error for the first such field */
function requireServable(body: Requested): void {
  const { tools = [], tool_choice: choice, text, reasoning } = body;
  const effort = reasoning?.effort;
  const unsupported: Record<string, boolean> = {
    tools: !tools.every(isServerTool),
    tool_choice: choice !== undefined && choice !== 'auto',
    parallel_tool_calls: body.parallel_tool_calls === false,
    'reasoning.effort': effort !== undefined && !REASONING_EFFORTS.some((known) => known === effort),
    'text.format': text?.format !== undefined && text.format.type !== 'text',
    'text.verbosity': text?.verbosity !== undefined,
    truncation: body.truncation === 'disabled',
  };
  const given = Object.entries(unsupported).find(([, isGiven]) => isGiven);
  if (given?.[0] === 'tools')
    throw invalidField(
      'tools',
      'must not have functions together with tools of type mcp: send them in separate requests',
    );
  if (given) throw invalidField(given[0], 'is not supported with tools of type mcp');
  if (body.store === false)
    throw invalidField('store', 'must not be false with tools of type mcp, because a run keeps the calls of its tools');
}

/**
 * Refuses a request with decisions when its other fields differ from those of the response that requested the decisions.
 * @throws AppError validation_error for the first such field
 */
function requireSame(body: Requested, previous: ResponseObject): void {
  const stated = JSON.parse(
    JSON.stringify(begun(newId(), { ...body, input: undefined }, body.model ?? '', new Date())),
  ) as ResponseObject;
  const fields = [
    ...(['model', 'tools', 'tool_choice', 'prompt', 'temperature', 'top_p', 'max_output_tokens', 'reasoning'] as const),
    ...(['parallel_tool_calls', 'text', 'truncation'] as const),
  ];
  const changed = fields.find(
    (field) => body[field] !== undefined && !isDeepStrictEqual(stated[field], previous[field]),
  );
  if (changed !== undefined)
    throw invalidField(changed, 'must be left out or as in the response with the requests, whose run continues');
  if (body.conversation !== undefined)
    throw invalidField('conversation', 'cannot be given with an mcp_approval_response');
  if (body.store === false) throw invalidField('store', 'must not be false, because the run is kept');
}

/**
 * Returns the messages in the form of an agent's conversation, without system messages and empty messages.
 * @throws AppError validation_error for `input` when a message has images or calls of functions, or is an output of a function
 */
function spoken(messages: readonly HistoryMessage[]): KeptMessage[] {
  const isForeign = ({ role, images = [], tool_calls: calls = [] }: HistoryMessage) =>
    role === 'tool' || images.length > 0 || calls.length > 0;
  if (messages.some(isForeign))
    throw invalidField(
      'input',
      'continues messages with images or calls of functions, which are not supported with tools of type mcp',
    );
  return messages.flatMap(({ role, content }) => (role === 'system' || content === '' ? [] : [{ role, content }]));
}

/** Marks messages of the model as untrusted. They may repeat texts that other people wrote, so a run that reads them is tainted. */
const asKept = (message: KeptMessage): KeptMessage =>
  message.role === 'assistant' ? { ...message, untrusted: true } : message;

function requireShort(instructions: string, field: string): string {
  if (instructions.length <= INSTRUCTIONS_LENGTH) return instructions;
  throw invalidField(
    field,
    `has more than ${INSTRUCTIONS_LENGTH} characters, which is the limit with tools of type mcp`,
  );
}

const parametersOf = ({
  temperature,
  top_p,
  max_output_tokens: max_tokens,
  reasoning,
}: PreparedResponse['body']): ModelParameters => {
  const effort = REASONING_EFFORTS.find((known) => known === reasoning?.effort);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_tokens !== undefined && { max_tokens }),
    ...(effort !== undefined && { reasoning_effort: effort }),
  };
};

async function recordStart(
  tx: Tx,
  caller: Caller,
  { prompt, model }: PreparedResponse,
  { id, tools, conversation }: ResponseObject,
) {
  const servers = tools.flatMap((tool) => (isServerTool(tool) ? [tool.server_label] : [])).join(' ');
  await recordDecision(tx, {
    ...caller,
    ...(prompt ? { action: 'prompt.run', resource: prompt.id } : { action: 'model.run', resource: model }),
    detail: {
      model,
      response: id,
      servers,
      ...(prompt && { version: prompt.version }),
      conversation: conversation?.id ?? '',
    },
  });
}
