import { z } from 'zod';
import type { AgentToolRule } from './rule-of.js';
import { failed, type AgentTool, type ToolResult } from './tool.js';

interface OwnTool<Args extends z.ZodObject> {
  name: string;
  description: string;
  schema: Args;
  rule: AgentToolRule;
  call: (args: z.output<Args>) => ToolResult | Promise<ToolResult>;
}

/** A tool of this installation. The tool only reads, so its calls may be repeated. */
export const ownTool = <Args extends z.ZodObject>(tool: OwnTool<Args>): AgentTool => ({
  name: tool.name,
  description: tool.description,
  // With `io: 'input'`, the schema does not require an argument that has a default.
  parameters: z.toJSONSchema(tool.schema, { io: 'input' }),
  owner: { name: 'platform', id: 'platform' },
  recordsItself: false,
  rule: tool.rule,
  isRepeatable: true, // the tool only reads, so its calls can be repeated
  check(args) {
    const { error } = tool.schema.safeParse(args);
    const faults = error?.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    return Promise.resolve(faults && failed('The arguments are not valid.', { faults }));
  },
  call: async (args) => tool.call(tool.schema.parse(args)),
});
