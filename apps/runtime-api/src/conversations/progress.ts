import { z } from 'zod';

const step = z.int();

/** Events of an agent's steps. */
export const AGENT_EVENTS = {
  'message.delta': z.object({ step, delta: z.string() }),
  'tool.call': z.object({ step, id: z.string(), tool: z.string(), arguments: z.string() }),
  'tool.result': z.object({ step, id: z.string(), tool: z.string(), ok: z.boolean() }),
};

/** Events of a streamed answer, in the order in which they occur. */
export const PROGRESS = {
  'message.started': z.object({ agent: z.string(), context_id: z.string(), run_id: z.string() }),
  'run.running': z.object({
    taken_over: z
      .literal(true)
      .meta({ description: 'Another process continues the run; the text of an unfinished step starts again' }),
  }),
  ...AGENT_EVENTS,
};
export type Progress = {
  [Event in keyof typeof PROGRESS]: { event: Event; data: z.output<(typeof PROGRESS)[Event]> };
}[keyof typeof PROGRESS];
