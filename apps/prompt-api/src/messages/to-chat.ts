import { isJsonObject } from '@millwright/json';
import { z } from 'zod';
import { AppError } from '@millwright/errors';
import type { ChatCompletion } from '../chat/chat.contract.js';
import { ChatRequest } from '../chat/chat-request.js';
import { namedText } from '../models/file-reader.js';
import { agentModel } from '../models/model-name.js';
import type { AnthropicMessage, MessageRequest } from './message-request.js';
import type { AnswerMessage } from './messages.contract.js';

type ChatInput = z.input<typeof ChatRequest>;
type ChatMessage = ChatInput['messages'][number];

const joined = (content: string | readonly { text: string }[] | undefined): string =>
  typeof content === 'string' ? content : (content ?? []).map((block) => block.text).join('\n');

type ChatPart = Exclude<Extract<ChatMessage, { role: 'user' }>['content'], string>[number];
type UserBlock = Exclude<Extract<AnthropicMessage, { role: 'user' }>['content'], string>[number];

const textPart = (text: string) => ({ type: 'text' as const, text });

function toParts(block: Exclude<UserBlock, { type: 'tool_result' }>): ChatPart[] {
  if (block.type === 'text') return [textPart(block.text)];
  if (block.type === 'document') {
    const { title, context, source } = block;
    const before = context ? [textPart(context)] : [];
    if (source.type === 'text') return [...before, textPart(namedText(source.data, title).text)];
    const file_data = `data:${source.media_type};base64,${source.data}`;
    return [...before, { type: 'file' as const, file: { file_data, filename: title } }];
  }
  const { source } = block;
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
  return [{ type: 'image_url' as const, image_url: { url } }];
}

function toOutput({ content = [], is_error: isError }: Extract<UserBlock, { type: 'tool_result' }>) {
  const parts: ChatPart[] = typeof content === 'string' ? [textPart(content)] : content.flatMap(toParts);
  const [first] = parts;
  if (!isError) return parts;
  const text = first?.type === 'text' ? `Error: ${first.text}` : 'Error:';
  return [textPart(text), ...parts.slice(first?.type === 'text' ? 1 : 0)];
}

/** Converts a message to chat messages. Each result of a tool becomes a separate message before the user's text. */
function toMessages({ role, content }: AnthropicMessage): ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  if (role === 'assistant') {
    const said = joined(content.filter((block) => block.type === 'text'));
    const tool_calls = content.flatMap((block) =>
      block.type === 'tool_use'
        ? {
            id: block.id,
            type: 'function' as const,
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          }
        : [],
    );
    return [{ role, content: said, ...(tool_calls.length > 0 && { tool_calls }) }];
  }
  const results = content.flatMap((block): ChatMessage[] => {
    if (block.type !== 'tool_result') return [];
    return [{ role: 'tool', tool_call_id: block.tool_use_id, content: toOutput(block) }];
  });
  const parts = content.flatMap((block) => (block.type === 'tool_result' ? [] : toParts(block)));
  return [...results, ...(parts.length === 0 && results.length > 0 ? [] : [{ role: 'user' as const, content: parts }])];
}

function toToolChoice(choice: MessageRequest['tool_choice']): ChatInput['tool_choice'] {
  if (choice?.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice?.type === 'any' ? 'required' : choice?.type;
}

/**
 * Converts a request of the Messages API to a request for a chat completion.
 * @throws AppError validation_error for fields that chat completions refuse, under their names in the Messages API
 */
export function toChatRequest(body: MessageRequest): ChatRequest {
  const { tool_choice: choice, output_config: output, system } = body;
  const isAgent = body.model.startsWith(agentModel(''));
  const schema = output?.format?.schema;
  const input: ChatInput = {
    model: body.model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: joined(system) }]),
      ...body.messages.flatMap(toMessages),
    ],
    ...(!isAgent && { max_completion_tokens: body.max_tokens }),
    temperature: body.temperature,
    top_p: body.top_p,
    stop: body.stop_sequences,
    tools: body.tools?.map(({ name, description, input_schema: parameters, strict }) => ({
      type: 'function' as const,
      function: { name, description, parameters, strict },
    })),
    tool_choice: toToolChoice(choice),
    parallel_tool_calls:
      choice && 'disable_parallel_tool_use' in choice ? !choice.disable_parallel_tool_use : undefined,
    reasoning_effort: output?.effort,
    response_format: schema && { type: 'json_schema', json_schema: { name: 'output', schema } },
    user: body.metadata?.user_id,
  };
  const parsed = ChatRequest.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), reason: message }));
  throw inMessageTerms(new AppError('validation_error', { fields }));
}

const OWN_NAMES: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^response_format\.json_schema\.schema/, 'output_config.format.schema'],
  [/^max_completion_tokens$/, 'max_tokens'],
  [/^stop\b/, 'stop_sequences'],
  [/^parallel_tool_calls$/, 'tool_choice.disable_parallel_tool_use'],
];

/**
 * Renames the fields of a completion's failure to the field names of the Messages API. Omits the index of a message, which differs in that
 * API.
 */
export function inMessageTerms(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'validation_error') return error;
  const fields = error.fields.map(({ field, reason }) => {
    if (field.endsWith('.tool_call_id'))
      return { field: 'messages', reason: 'has a tool_result whose tool_use_id names no tool_use before it' };
    const [pattern, name] = OWN_NAMES.find(([ours]) => ours.test(field)) ?? [field, field];
    return { field: field.startsWith('messages.') ? 'messages' : field.replace(pattern, name), reason };
  });
  return new AppError('validation_error', { fields, cause: error });
}

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const satisfies Record<ChatCompletion['choices'][number]['finish_reason'], AnswerMessage['stop_reason']>;

export const messageId = (completionId: string): string => completionId.replace('chatcmpl-', 'msg_');

export function toUsage({ prompt_tokens, completion_tokens, prompt_tokens_details: details }: ChatCompletion['usage']) {
  const cached = details?.cached_tokens;
  return {
    input_tokens: prompt_tokens - (cached ?? 0),
    output_tokens: completion_tokens,
    ...(cached !== undefined && { cache_read_input_tokens: cached }),
  };
}

/** Parses the arguments that the model wrote; `undefined` when they are not a JSON object. */
function inputOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function toAnswerMessage(completion: ChatCompletion): AnswerMessage {
  const { choices, usage, run } = completion;
  const [choice] = choices;
  const { content = null, refusal = null, tool_calls: calls = [] } = choice?.message ?? {};
  const said = refusal ?? content ?? '';
  const broken = calls.filter(({ function: { arguments: args } }) => !inputOf(args));
  return {
    id: messageId(completion.id),
    type: 'message',
    role: 'assistant',
    model: completion.model,
    content: [
      ...(said === '' && calls.length > 0 ? [] : [{ type: 'text' as const, text: said }]),
      ...calls.map(({ id, function: { name, arguments: args } }) => ({
        ...{ type: 'tool_use' as const, id, name, input: inputOf(args) ?? {} },
      })),
    ],
    stop_reason: refusal === null ? STOP_REASONS[choice?.finish_reason ?? 'stop'] : 'refusal',
    stop_sequence: null,
    usage: toUsage(usage),
    run,
    warnings: [
      ...completion.warnings,
      ...broken.map(({ id }) => `The arguments of the call ${id} are no JSON object: its input is empty.`),
    ],
  };
}
