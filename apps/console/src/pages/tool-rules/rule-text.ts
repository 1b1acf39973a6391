import type { McpToolRule, ToolPolicy } from '../../api/platform-records.js';

export type Rule = McpToolRule['effective'];

export const RULES: Readonly<Record<Rule, { label: string; text: string; color: string }>> = {
  allow: { label: 'Allow', text: 'Agents call it by themselves', color: 'mill' },
  ask: { label: 'Ask', text: 'Each call waits for a person', color: 'yellow' },
  deny: { label: 'Deny', text: 'Calls are refused', color: 'red' },
};

/** A rule with its meaning: "Ask: each call waits for a person". */
export const ruleText = (rule: Rule): string => {
  const { label, text } = RULES[rule];
  return `${label}: ${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
};

export const UNMARKED: Readonly<Record<ToolPolicy['unmarked_tools'], { label: string; text: string }>> = {
  allow: { label: 'Allow', text: 'Agents call them by themselves.' },
  ask_when_tainted: {
    label: 'Ask after text from outside',
    text: 'Calls wait for a person once the run has read text from outside: answers of tools, content or documents.',
  },
  ask: { label: 'Ask', text: 'Each call waits for a person.' },
};

/** The settings of a tool in the editor. A null `rule` means that the policy of the project applies. */
export interface Mark {
  rule: Rule | null;
  other_decider: boolean;
  /** Whether a call with an unknown outcome may be repeated. */
  repeatable: boolean;
}

export type Marks = Readonly<Record<string, Mark>>;

export const marksOf = (tools: readonly McpToolRule[]): Marks =>
  Object.fromEntries(
    tools.map(({ name, rule, other_decider, repeatable }) => [name, { rule, other_decider, repeatable }]),
  );

/** Returns the tools whose marks were changed in the editor, each with the new mark and the definition that was shown. */
export const changedRules = (tools: readonly McpToolRule[], marks: Marks) =>
  tools.flatMap(({ name, hash, rule, is_current, other_decider, repeatable }) => {
    const mark = marks[name];
    if (!mark) return [];
    // A mark that was set for an earlier definition is also sent, so that it applies to the current definition.
    const isRuleSame = mark.rule === rule && mark.other_decider === other_decider && (rule === null || is_current);
    return isRuleSame && mark.repeatable === repeatable ? [] : [{ name, hash, ...mark }];
  });

/** Adds the server's suggestions for tools that have no mark for their current definition. */
export const withSuggestions = (tools: readonly McpToolRule[], marks: Marks): Marks => ({
  ...marks,
  ...Object.fromEntries(
    tools
      .filter(({ name, is_current }) => !is_current && (marks[name]?.rule ?? null) === null)
      .map(({ name, suggested }) => {
        const { other_decider = false, repeatable = false } = marks[name] ?? {};
        return [name, { rule: suggested, other_decider, repeatable }];
      }),
  ),
});

/** Splits a list into parts of at most the given size. */
export const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, part) => items.slice(part * size, (part + 1) * size));
