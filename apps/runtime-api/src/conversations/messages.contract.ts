import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** Body of a message to an agent. */
export const NewMessage = z.strictObject({
  content: z
    .string()
    .max(200_000)
    .refine((text) => text.trim() !== '', 'must not be empty'),
  context_id: z.string().max(100).optional(),
});
export type NewMessage = z.output<typeof NewMessage>;

/** An agent's answer; `context_id` continues the conversation. */
export const AgentMessage = z.object({
  id: z.string(),
  content: z.string(),
  agent: z.string(),
  timestamp: z.string(),
  context_id: z.string(),
});
export type AgentMessage = z.output<typeof AgentMessage>;

const step = z.int();

/** Events of a streamed answer, in the order in which they occur. */
const PROGRESS = {
  'message.started': z.object({ agent: z.string(), context_id: z.string() }),
  'message.delta': z.object({ step, delta: z.string() }),
  'tool.call': z.object({ step, id: z.string(), tool: z.string(), arguments: z.string() }),
  'tool.result': z.object({ step, id: z.string(), tool: z.string(), ok: z.boolean() }),
};
export type Progress = {
  [Event in keyof typeof PROGRESS]: { event: Event; data: z.output<(typeof PROGRESS)[Event]> };
}[keyof typeof PROGRESS];

export const sendMessage = endpoint({
  operationId: 'sendMessage',
  method: 'POST',
  path: '/api/v1/agents/{agent_name}/messages',
  summary: 'Send a message to an agent',
  tag: 'Agents',
  access: { scope: 'agents:message' },
  limit: 'messages',
  long: true,
  params: z.object({ agent_name: z.string() }),
  query: z.object({ stream: z.enum(['true', 'false']).optional() }),
  body: NewMessage,
  success: { status: 200, description: "The agent's answer", body: AgentMessage },
  stream: { events: PROGRESS, completed: 'message.completed' },
  errors: [],
});
