import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { AcceptedRun } from '../runs/approvals/approvals.contract.js';
import { AgentMessage } from '../conversations/agent-message.js';
import { hasContent, messageFields, NO_CONTENT } from '../conversations/new-message.js';
import { PROGRESS } from '../conversations/progress.js';

export const sendMessage = endpoint({
  operationId: 'sendMessage',
  method: 'POST',
  path: '/api/v1/agents/{agent_name}/messages',
  summary: 'Send a message to an agent',
  tag: 'Agents',
  access: { scope: 'agents:message' },
  limit: 'messages',
  long: true,
  largeBody: true,
  params: z.object({ agent_name: z.string() }),
  query: z.object({ stream: z.enum(['true', 'false']).optional() }),
  headers: z.object({
    prefer: z.string().optional().meta({
      description: '`respond-async`: answer 202 with the run at once, unless a stream is requested (RFC 7240)',
    }),
  }),
  body: z
    .strictObject({
      ...messageFields,
      replaces: z.string().max(100).optional().meta({
        description:
          'Your message of the conversation that this one replaces, together with all after it: an edit, or the same content for another answer. 409 while a run of the conversation has not ended',
      }),
    })
    .refine(hasContent, NO_CONTENT)
    .refine(({ context_id, replaces }) => replaces === undefined || context_id !== undefined, {
      path: ['context_id'],
      message: 'is required with replaces',
    }),
  success: {
    status: 200,
    description: "The agent's answer",
    body: AgentMessage,
    accepted: {
      description:
        'The run, because it waits for a person or as `Prefer: respond-async` wants; its address is in `Location`',
      body: AcceptedRun,
    },
  },
  stream: { events: PROGRESS, completed: 'message.completed', accepted: 'run.waiting' },
  errors: ['budget_exceeded', 'guard_blocked'],
});
