import { decodeId, encodeId } from '@millwright/db';
import { catalogue, type ErrorCode } from '@millwright/errors';
import { hasEnded, type RunStatus } from '@millwright/runs';
import { callItemId, messageItemId } from '../conversations/items.js';
import type { RunOutcome } from '../runs/run.service.js';
import type { ResponseRequest } from './response-request.js';
import type { OutputItem, OutputMessage, ResponseObject } from './responses.contract.js';

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

export const responseId = (uuid: string) => encodeId('resp', uuid);
/** Returns the UUID of a response; empty for a malformed id. It is usually also the UUID of the run. */
export const responseUuid = (id: string): string => decodeId('resp', id) ?? '';

/** Returns the response before the model has answered. */
export function begun(uuid: string, body: ResponseRequest, model: string, at: Date): ResponseObject {
  return {
    id: responseId(uuid),
    object: 'response',
    created_at: seconds(at),
    completed_at: null,
    status: 'in_progress',
    background: body.background ?? false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    conversation: null,
    prompt: body.prompt
      ? { id: body.prompt.id, version: body.prompt.version ?? null, variables: body.prompt.variables ?? null }
      : null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    safety_identifier: body.safety_identifier ?? null,
    store: body.store ?? true,
    temperature: body.temperature ?? null,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    ...(body.reasoning?.effort !== undefined && { reasoning: { effort: body.reasoning.effort } }),
    top_p: body.top_p ?? null,
    truncation: body.truncation ?? 'auto',
    usage: null,
    user: body.user ?? null,
    warnings: [],
  };
}

/** Returns a response as it was when it started. The stream of a stored response begins with this state. */
export function asBegun(response: ResponseObject): ResponseObject {
  return {
    ...response,
    status: 'in_progress',
    completed_at: null,
    error: null,
    incomplete_details: null,
    conversation: null,
    output: [],
    usage: null,
    warnings: [],
  };
}

/**
 * Returns a response in progress with the status that follows from its run: `cancelled` when the run was canceled, and `failed` when the run ended in
 * another way or was never stored. A response whose run has not ended is returned unchanged.
 */
export function withEnd(
  response: ResponseObject,
  run: Pick<RunStatus, 'state' | 'errorCode'> | undefined,
): ResponseObject {
  if (run && !hasEnded(run.state)) return response;
  if (run?.state === 'canceled') return { ...response, status: 'cancelled' };
  const code = Object.keys(catalogue).find((known): known is ErrorCode => known === run?.errorCode);
  const { message } = catalogue[code ?? 'internal_error'];
  return { ...response, status: 'failed', error: { code: code ?? 'server_error', message } };
}

const CUT_OFF: Readonly<Record<string, 'max_output_tokens' | 'content_filter'>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

function ending({ answer, faults }: RunOutcome): Pick<ResponseObject, 'status' | 'error' | 'incomplete_details'> {
  const none = { error: null, incomplete_details: null };
  if (answer.refusal) return { ...none, status: 'completed' };
  const reason = CUT_OFF[answer.finishReason];
  if (reason !== undefined) return { ...none, status: 'incomplete', incomplete_details: { reason } };
  if (faults.length === 0) return { ...none, status: 'completed' };
  return { ...none, status: 'failed', error: { code: 'server_error', message: faults.join('; ') } };
}

const callItems = ({ answer }: RunOutcome, messageId: string): OutputItem[] =>
  answer.toolCalls.map(({ id, name, arguments: args }, index) => ({
    id: callItemId(messageId, index),
    ...{ type: 'function_call', status: 'completed', call_id: id, name, arguments: args },
  }));

function output(status: ResponseObject['status'], messageId: string, outcome: RunOutcome): OutputItem[] {
  const { answer } = outcome;
  if (status === 'failed') return [];
  if (answer.text === '' && !answer.refusal && answer.toolCalls.length > 0) return callItems(outcome, messageId);
  const content: OutputMessage['content'] = [];
  if (answer.text !== '' || !answer.refusal) content.push({ type: 'output_text', text: answer.text, annotations: [] });
  if (answer.refusal) content.push({ type: 'refusal', refusal: answer.refusal });
  const itemStatus = status === 'incomplete' ? 'incomplete' : 'completed';
  const message: OutputMessage = {
    id: messageItemId(messageId),
    ...{ type: 'message', role: 'assistant', status: itemStatus, content },
  };
  return [message, ...callItems(outcome, messageId)];
}

export interface Completion {
  outcome: RunOutcome;
  /** Id of the message that contains the answer. */
  messageId: string;
  conversation: string | undefined;
  at: Date;
}

/** Returns the response after the model has answered. */
export function completed(draft: ResponseObject, { outcome, messageId, conversation, at }: Completion): ResponseObject {
  const { usage, model } = outcome.answer;
  const end = ending(outcome);
  return {
    ...draft,
    ...end,
    completed_at: end.status === 'completed' ? seconds(at) : null,
    model,
    output: output(end.status, messageId, outcome),
    conversation: conversation === undefined ? null : { id: conversation },
    usage: {
      input_tokens: usage.prompt_tokens,
      ...(usage.prompt_tokens_details && { input_tokens_details: usage.prompt_tokens_details }),
      output_tokens: usage.completion_tokens,
      ...(usage.completion_tokens_details && { output_tokens_details: usage.completion_tokens_details }),
      total_tokens: usage.total_tokens,
    },
    warnings: outcome.warnings,
  };
}
