import { effectiveRule, namesTool, suggestedRule, TOOL_RULES, UNMARKED_TOOLS, type ToolRule } from './tool-rules.js';

/**
 * Expected rules by mark: no mark, a mark of the current definition, or a mark of a former definition. For each mark
 * and project setting, the pair has the rule in an untainted run and the rule in a tainted run.
 */
const TABLE: Record<string, Record<(typeof UNMARKED_TOOLS)[number], [clean: ToolRule, tainted: ToolRule]>> = {
  none: { allow: ['allow', 'allow'], ask_when_tainted: ['allow', 'ask'], ask: ['ask', 'ask'] },
  allow: { allow: ['allow', 'allow'], ask_when_tainted: ['allow', 'allow'], ask: ['allow', 'allow'] },
  ask: { allow: ['ask', 'ask'], ask_when_tainted: ['ask', 'ask'], ask: ['ask', 'ask'] },
  deny: { allow: ['deny', 'deny'], ask_when_tainted: ['deny', 'deny'], ask: ['deny', 'deny'] },
  'former allow': { allow: ['allow', 'allow'], ask_when_tainted: ['allow', 'ask'], ask: ['ask', 'ask'] },
  'former ask': { allow: ['ask', 'ask'], ask_when_tainted: ['ask', 'ask'], ask: ['ask', 'ask'] },
  'former deny': { allow: ['deny', 'deny'], ask_when_tainted: ['deny', 'deny'], ask: ['deny', 'deny'] },
};
/**
 * Rules of a tool that the agent lists as needing a decision. The key is the rule that the tool would have without the
 * list.
 */
const NARROWED: Record<ToolRule, ToolRule> = { allow: 'ask', ask: 'ask', deny: 'deny' };

const cases = Object.entries(TABLE).flatMap(([mark, byDefault]) =>
  UNMARKED_TOOLS.flatMap((unmarked) =>
    [false, true].flatMap((isTainted) =>
      [false, true].map((asksForAgent) => {
        const rule = TOOL_RULES.find((one) => mark.endsWith(one)) ?? null;
        const expected = byDefault[unmarked][isTainted ? 1 : 0];
        return {
          ...{ mark, unmarked, isTainted, asksForAgent, rule, isCurrent: !mark.startsWith('former') },
          expected: asksForAgent ? NARROWED[expected] : expected,
        };
      }),
    ),
  ),
);

describe('effectiveRule', () => {
  it.each(cases)(
    'is $expected when the mark is $mark, unmarked tools are $unmarked, isTainted is $isTainted and asksForAgent is $asksForAgent',
    ({ expected, isTainted, ...mark }) => {
      expect(effectiveRule(mark, isTainted)).toBe(expected);
    },
  );

  it('is tested with every combination of its inputs', () => {
    expect(cases).toHaveLength(7 * 3 * 2 * 2);
  });
});

it.each<[object | undefined, ToolRule]>([
  [undefined, 'ask'],
  [{}, 'ask'],
  [{ readOnlyHint: true }, 'allow'],
  [{ readOnlyHint: 'true' }, 'ask'],
  [{ readOnlyHint: false }, 'ask'],
  [{ readOnlyHint: true, destructiveHint: true }, 'ask'],
  [{ idempotentHint: true }, 'ask'],
])('suggestedRule for the annotations %j is %s', (annotations, rule) => {
  expect(suggestedRule(annotations as Record<string, unknown> | undefined)).toBe(rule);
});

it.each<[string[], boolean]>([
  [[], false],
  [['*'], true],
  [['mail/*'], true],
  [['mail/send'], true],
  [['mail/read', 'crm/*'], false],
])('namesTool with the list %j for mail/send returns %s', (list, isNamed) => {
  expect(namesTool(list, 'mail', 'send')).toBe(isNamed);
});
