import {
  effectiveRule,
  namesTool,
  type StoredToolRule,
  type ToolRule,
  type UnmarkedTools,
} from '@millwright/auth/tool-rules';
import type { RunnableAgent } from '@millwright/catalog';
import { isTainted, type RunTaint } from './taint.js';

/** The rule of a tool for one agent. */
export interface AgentToolRule {
  in: (run: RunTaint) => ToolRule;
  /** Whether a user other than the requester must decide. */
  needsOtherDecider: boolean;
}

/** Rule of this installation's own tools. They are always allowed, because they only read records that the caller may read. */
export const ALLOWED: AgentToolRule = { in: () => 'allow', needsOtherDecider: false };

/** Returns the rule that a tool of a server or a plugin has for this agent. `unmarked` is the installation's setting for unmarked tools. */
export function ruleFor(
  { ask_tools }: Pick<RunnableAgent, 'ask_tools'>,
  unmarked: UnmarkedTools,
  stored: StoredToolRule,
  server: string,
  tool: string,
): AgentToolRule {
  const mark = {
    rule: stored.rule,
    isCurrent: stored.is_rule_current,
    unmarked: stored.unmarked_tools ?? unmarked,
    asksForAgent: namesTool(ask_tools, server, tool),
  };
  return { in: (run) => effectiveRule(mark, isTainted(run)), needsOtherDecider: stored.other_decider };
}
