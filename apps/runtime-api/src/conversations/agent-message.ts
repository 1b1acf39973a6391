import { z } from 'zod';

/** An agent's answer. A message with its `context_id` continues the conversation. */
export const AgentMessage = z.object({
  id: z.string(),
  content: z.string(),
  agent: z.string(),
  timestamp: z.string(),
  context_id: z.string(),
});
export type AgentMessage = z.output<typeof AgentMessage>;
