import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelDefinition, ModelImage, ModelMessage, ModelRequest } from './model.js';
import { statedOver, type ModelSampling } from './parameters.js';
import { toStrictSchema } from './strict-schema.js';

/** How JSON output is requested: by a schema, or in the prompt for servers that do not support schemas. */
export type OutputMode = 'json_schema' | 'json_object';

type ChatRequest = Omit<ChatCompletionCreateParams, 'stream' | 'stream_options'>;

export interface PlannedRequest {
  body: ChatRequest;
  /** Converts the text of an answer by the strict schema to the form of the original schema. */
  restore: (text: string) => string;
}

function partsOf(content: string, images: readonly ModelImage[]): ChatCompletionContentPart[] {
  return [
    ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
    ...images.map(({ url, detail }) => ({
      type: 'image_url' as const,
      image_url: { url, ...(detail !== undefined && { detail }) },
    })),
  ];
}

function toChatMessage({
  role,
  content,
  images = [],
  name,
  tool_calls: calls,
  tool_call_id = '',
}: ModelMessage): ChatCompletionMessageParam {
  if (role === 'tool') return { role, content, tool_call_id };
  const named = name === undefined ? {} : { name };
  if (role === 'user' && images.length > 0) return { role, content: partsOf(content, images), ...named };
  if (role !== 'assistant' || !calls?.length) return { role, content, ...named };
  return {
    role,
    ...named,
    content: content || null,
    tool_calls: calls.map(({ id, name: tool, arguments: args }) => ({
      id,
      type: 'function',
      function: { name: tool, arguments: args },
    })),
  };
}

/**
 * Moves the images of tool outputs into a message after these outputs, because the API accepts images from the user
 * only.
 */
function withOutputImages(messages: readonly ModelMessage[]): ModelMessage[] {
  let images: ModelImage[] = [];
  return messages.flatMap((message, index) => {
    if (message.role !== 'tool') return [message];
    images = [...images, ...(message.images ?? [])];
    if (images.length === 0 || messages[index + 1]?.role === 'tool') return [message];
    const shown = { role: 'user' as const, content: '', images };
    images = [];
    return [message, shown];
  });
}

/** The field for the maximum number of tokens. OpenAI's newer models refuse `max_tokens`; many compatible servers accept only `max_tokens`. */
function tokenLimit(endpoint: string, maxTokens: number): Partial<ChatRequest> {
  const isOpenAi = /(^|\.)openai\.(azure\.)?com$/.test(new URL(endpoint).hostname);
  return { [isOpenAi ? 'max_completion_tokens' : 'max_tokens']: maxTokens };
}

/** The request's fields for tools. Servers refuse these fields when the request has no tools. */
function toolFields({ tools = [], toolChoice, parallelToolCalls }: ModelRequest): Partial<ChatRequest> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      function: { name, description, parameters: { ...parameters }, ...(strict === undefined ? {} : { strict }) },
    })),
    ...(toolChoice === undefined
      ? {}
      : {
          tool_choice:
            typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: { name: toolChoice.name } },
        }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function samplingFields(sampling: ModelSampling = {}): Partial<ChatRequest> {
  const fields = {
    top_p: sampling.topP,
    stop: sampling.stop && [...sampling.stop],
    seed: sampling.seed,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    reasoning_effort: sampling.reasoningEffort,
    verbosity: sampling.verbosity,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Converts a name to the name of a schema. OpenAI admits only these characters, and at most 64 of them. */
const schemaName = (name: string) => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'output';

/**
 * Adds the schema as an instruction after the other system messages, so that the beginning of the prompt, which
 * providers cache, stays the same.
 */
function withSchemaInWords(messages: readonly ModelMessage[], schema: object): ModelMessage[] {
  const found = messages.findIndex(({ role }) => role !== 'system');
  const at = found === -1 ? messages.length : found;
  const instruction: ModelMessage = {
    role: 'system',
    content: `Answer with one JSON value and nothing else. It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`,
  };
  return [...messages.slice(0, at), instruction, ...messages.slice(at)];
}

function planOutput({ name, schema }: NonNullable<ModelRequest['output']>, streaming: boolean) {
  const strict = toStrictSchema(schema);
  // Text is forwarded as it arrives, so a stream uses strict mode only when nothing in the answer must be restored.
  const usable = strict && (strict.exact || !streaming) ? strict : undefined;
  return {
    restore: usable?.restore ?? ((text: string) => text),
    json_schema: {
      name: schemaName(name),
      schema: { ...(usable?.schema ?? schema) },
      strict: usable !== undefined,
    },
  };
}

/** The request in the form of the model's endpoint. */
export function planRequest(
  { name, endpoint, upstreamName = name, parameters = {} }: ModelDefinition & { endpoint: string },
  request: ModelRequest,
  mode: OutputMode,
  streaming: boolean,
): PlannedRequest {
  const { output } = request;
  const { temperature, maxTokens, sampling } = statedOver(request, parameters);
  const inWords = output && mode === 'json_object';
  const messages = inWords ? withSchemaInWords(request.messages, output.schema) : request.messages;
  const body: ChatRequest = {
    model: upstreamName,
    messages: withOutputImages(messages).map(toChatMessage),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : tokenLimit(endpoint, maxTokens)),
    ...samplingFields(sampling),
    ...toolFields(request),
  };
  const asIs = (text: string) => text;
  if (!output) return { body, restore: asIs };
  if (inWords) return { body: { ...body, response_format: { type: 'json_object' } }, restore: asIs };
  const { json_schema, restore } = planOutput(output, streaming);
  return { body: { ...body, response_format: { type: 'json_schema', json_schema } }, restore };
}
