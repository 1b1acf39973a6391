import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ChatRequest } from './chat-request.js';

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const;

const ToolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const Usage = z.object({
  ...{ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() },
  /** Usage details as reported by the model's server; absent when the server reports no details. */
  prompt_tokens_details: z.object({ cached_tokens: z.int() }).optional(),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }).optional(),
});

/** OpenAI's chat completion, with a run's id and warnings. */
export const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
        tool_calls: z.array(ToolCall).optional(),
      }),
      logprobs: z.null(),
      finish_reason: z.enum(FINISH_REASONS),
    }),
  ),
  usage: Usage,
  run: z.string().meta({ description: 'Id of the run, which the runtime API shows' }),
  warnings: z.array(z.string()),
});
export type ChatCompletion = z.output<typeof ChatCompletion>;

/** OpenAI's chunk of a streamed chat completion. */
const Chunk = z.looseObject({ id: z.string(), object: z.literal('chat.completion.chunk') });

export const createChatCompletion = endpoint({
  operationId: 'createChatCompletion',
  method: 'POST',
  path: '/v1/chat/completions',
  summary: "Run a model, a prompt or an agent by OpenAI's chat completions",
  tag: 'Chat',
  access: { scope: 'prompts:run' },
  limit: 'credential',
  body: ChatRequest,
  largeBody: true,
  long: true,
  success: { status: 200, description: 'The completion', body: ChatCompletion },
  events: {
    description:
      'With `stream: true`: chunks, and `[DONE]` at the end. An answer that must fit a schema is sent when it has been checked. A failure after the first chunk is sent as `error`.',
    body: Chunk,
  },
  errors: ['agent_stopped', 'budget_exceeded', 'conflict', 'guard_blocked', 'not_found'],
});
