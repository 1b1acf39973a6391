import { allowsTool, type ToolList } from './tool-lists.js';

/** What happens to a call of a tool: it is made, made after a person's decision, or refused. In this order, the later is the stricter. */
export const TOOL_RULES = ['allow', 'ask', 'deny'] as const;
export type ToolRule = (typeof TOOL_RULES)[number];

/** The rule of tools that an admin has not marked. `ask_when_tainted`: `ask` in runs that have read text of others, otherwise `allow`. */
export const UNMARKED_TOOLS = ['allow', 'ask_when_tainted', 'ask'] as const;
export type UnmarkedTools = (typeof UNMARKED_TOOLS)[number];

/** What is stored about the rule of a tool. */
export interface StoredToolRule {
  /** The mark of an admin. */
  rule: ToolRule | null;
  /** Whether the definition is still the one that was marked. */
  is_rule_current: boolean;
  /** Whether another user than the requester has to decide. */
  other_decider: boolean;
  /** What the project's admins decided for unmarked tools; null: the installation's setting holds. */
  unmarked_tools: UnmarkedTools | null;
}

/** Everything that the rule of a tool in a run depends on. */
export interface ToolMark {
  rule: ToolRule | null;
  isCurrent: boolean;
  /** Of the project. */
  unmarked: UnmarkedTools;
  /** Whether the agent has the tool on its list of those that need a decision. */
  asksForAgent: boolean;
}

const stricter = (a: ToolRule, b: ToolRule): ToolRule => (TOOL_RULES.indexOf(a) > TOOL_RULES.indexOf(b) ? a : b);

/**
 * The rule of a tool in a run. An agent's list makes it stricter, never looser. A mark of a definition that has changed since allows
 * nothing: the rule is that of unmarked tools, or the mark where that is stricter.
 */
export function effectiveRule({ rule, isCurrent, unmarked, asksForAgent }: ToolMark, isTainted: boolean): ToolRule {
  const asks = unmarked === 'ask' || (unmarked === 'ask_when_tainted' && isTainted);
  const byDefault = asks ? 'ask' : 'allow';
  const marked = rule === null ? byDefault : isCurrent ? rule : stricter(rule, byDefault);
  return asksForAgent ? stricter(marked, 'ask') : marked;
}

/** The server's own word of what a tool does is a suggestion only: `readOnlyHint` that it changes nothing. */
export const suggestedRule = (annotations: Readonly<Record<string, unknown>> | undefined): ToolRule =>
  annotations?.['readOnlyHint'] === true && annotations['destructiveHint'] !== true ? 'allow' : 'ask';

/** Stands in an agent's list for the server's name of tools that are plugins: `plugins/<id>`. */
export const PLUGINS = 'plugins';
/** The same of tools that are agents: `agents/<id>`. */
export const AGENT_TOOLS = 'agents';

/** Whether the list names the tool. An empty list names none. */
export const namesTool = (list: ToolList, server: string, tool: string): boolean =>
  list.length > 0 && allowsTool([list], server, tool);
