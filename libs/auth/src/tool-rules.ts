import { allowsTool, type ToolList } from './tool-lists.js';

/**
 * Rules for tool calls, the least strict first: the call is made, the call needs a person's approval, or the call is
 * refused.
 */
export const TOOL_RULES = ['allow', 'ask', 'deny'] as const;
export type ToolRule = (typeof TOOL_RULES)[number];

/** The rule of tools that an admin has not marked. `ask_when_tainted`: `ask` in tainted runs, otherwise `allow`. */
export const UNMARKED_TOOLS = ['allow', 'ask_when_tainted', 'ask'] as const;
export type UnmarkedTools = (typeof UNMARKED_TOOLS)[number];

/** The stored data that determine the rule of a tool. */
export interface StoredToolRule {
  /** Rule that an admin has set for the tool; null when no admin has set a rule. */
  rule: ToolRule | null;
  /** Whether the definition of the tool is still the definition that the admin marked. */
  is_rule_current: boolean;
  /** Whether a user other than the requester must decide about calls. */
  other_decider: boolean;
  /** The project's tool policy for unmarked tools; null: the installation's setting applies. */
  unmarked_tools: UnmarkedTools | null;
}

/** The inputs of the rule of a tool in a run. */
export interface ToolMark {
  rule: ToolRule | null;
  isCurrent: boolean;
  /** Rule of the project for tools without a rule. */
  unmarked: UnmarkedTools;
  /** Whether the agent lists the tool as one whose calls need a decision. */
  asksForAgent: boolean;
}

const stricter = (a: ToolRule, b: ToolRule): ToolRule => (TOOL_RULES.indexOf(a) > TOOL_RULES.indexOf(b) ? a : b);

/**
 * Returns the rule of a tool in a run. An agent's list makes the rule stricter, never looser. When the tool's
 * definition has changed since an admin marked it, the stricter of two rules applies: the mark, or the rule for
 * unmarked tools.
 */
export function effectiveRule({ rule, isCurrent, unmarked, asksForAgent }: ToolMark, isTainted: boolean): ToolRule {
  const asks = unmarked === 'ask' || (unmarked === 'ask_when_tainted' && isTainted);
  const byDefault = asks ? 'ask' : 'allow';
  const marked = rule === null ? byDefault : isCurrent ? rule : stricter(rule, byDefault);
  return asksForAgent ? stricter(marked, 'ask') : marked;
}

/**
 * Suggests a rule from the server's annotations, such as `readOnlyHint` for a tool that changes nothing. The annotations are not trusted.
 */
export const suggestedRule = (annotations: Readonly<Record<string, unknown>> | undefined): ToolRule =>
  annotations?.['readOnlyHint'] === true && annotations['destructiveHint'] !== true ? 'allow' : 'ask';

/** Stands for the name of the server in an agent's list when a tool is a plugin: `plugins/<id>`. */
export const PLUGINS = 'plugins';
/** Stands for the name of the server in rules when a tool is an agent: `agents/<id>`. */
export const AGENT_TOOLS = 'agents';

/** Whether the list names the tool. An empty list names no tool. */
export const namesTool = (list: ToolList, server: string, tool: string): boolean =>
  list.length > 0 && allowsTool([list], server, tool);
