import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { MessageRequest } from './message-request.js';

const TextBlock = z.object({
  type: z.literal('text'),
  text: z.string(),
});
const ToolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});

/** Anthropic's message, with a run's id and warnings. */
export const AnswerMessage = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.union([TextBlock, ToolUseBlock])),
  stop_reason: z
    .enum(['end_turn', 'max_tokens', 'tool_use', 'refusal'])
    .meta({ description: 'Why the answer ended; `end_turn` also after a stop sequence' }),
  stop_sequence: z.null().meta({ description: 'Not known: always null' }),
  usage: z.object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    cache_read_input_tokens: z
      .int()
      .optional()
      .meta({ description: 'As reported by the server of the model; absent when it reports none' }),
  }),
  run: z.string().meta({ description: 'Id of the run, which the runtime API shows' }),
  warnings: z.array(z.string()),
});
export type AnswerMessage = z.output<typeof AnswerMessage>;

/** Anthropic's stream events, distinguished by `type`. */
const MessageEvent = z.looseObject({ type: z.string() });

export const createMessage = endpoint({
  operationId: 'createMessage',
  method: 'POST',
  path: '/v1/messages',
  summary: "Run a model, a prompt or an agent by Anthropic's Messages API",
  tag: 'Chat',
  access: { scope: 'prompts:run' },
  limit: 'credential',
  body: MessageRequest,
  largeBody: true,
  long: true,
  success: { status: 200, description: 'The message', body: AnswerMessage },
  events: {
    description: [
      'With `stream: true`: message_start, for each block content_block_start, content_block_delta and content_block_stop, then',
      'message_delta and message_stop; `error` for a failure in between. An answer that must fit a schema is sent when it has been checked.',
    ].join(' '),
    body: MessageEvent,
  },
  errors: ['agent_stopped', 'budget_exceeded', 'conflict', 'guard_blocked', 'not_found'],
});
