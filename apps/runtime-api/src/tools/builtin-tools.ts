import type { Caller } from '@millwright/auth';
import { allowsTool, BUILTIN_TOOLS, isBuiltinListed, type BuiltinTool } from '@millwright/auth/tool-lists';
import { namesTool } from '@millwright/auth/tool-rules';
import type { RunnableAgent } from '@millwright/catalog';
import { z } from 'zod';
import { BUILTIN } from './builtin-names.js';
import { calculate, NotCalculable } from './calculate.js';
import { ownTool } from './own-tool.js';
import { ALLOWED, type AgentToolRule } from './rule-of.js';
import { failed, type AgentTool, type ToolResult } from './tool.js';

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const Clock = z.strictObject({
  time_zone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'must be a time zone such as Europe/Zurich')
    .default('UTC')
    .describe('Name of the time zone, such as Europe/Zurich'),
});

const Calculation = z.strictObject({
  expression: z.string().min(1).max(1_000).describe('Numbers with + - * / % ^ and parentheses, such as (2 + 3) * 4'),
});

/** A result that does not taint the run, because its text is only from this installation. */
const trusted = (answer: object): ToolResult => ({ ok: true, content: JSON.stringify(answer), untrusted: false });

/** The date, the time and the weekday in a time zone. */
function timeIn(now: Date, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'long', timeZoneName: 'longOffset', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(now);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    date: `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`,
    time: `${of('hour')}:${of('minute')}:${of('second')}`,
    weekday: of('weekday'),
    time_zone: timeZone,
    offset: of('timeZoneName').replace('GMT', '') || '+00:00',
  };
}

type Maker = (rule: AgentToolRule) => AgentTool;

/** The tools of this installation that an agent may have. They read nothing but a clock. `now` returns the time in milliseconds. */
export function createBuiltinTools(now: () => number) {
  const makers: Record<BuiltinTool, Maker> = {
    current_time: (rule) =>
      ownTool({
        ...{ name: 'current_time', rule, schema: Clock },
        description: 'Returns the present date, time and weekday.',
        call: ({ time_zone }) => trusted(timeIn(new Date(now()), time_zone)),
      }),
    calculate: (rule) =>
      ownTool({
        ...{ name: 'calculate', rule, schema: Calculation },
        description: 'Calculates an arithmetic expression.',
        call({ expression }) {
          try {
            return trusted({ result: calculate(expression) });
          } catch (error) {
            if (error instanceof NotCalculable) return failed(error.message);
            throw error;
          }
        },
      }),
  };

  /** Returns the tools that are on both the agent's list and the caller's list. */
  return (caller: Caller, { mcp_tools, ask_tools }: Pick<RunnableAgent, 'mcp_tools' | 'ask_tools'>): AgentTool[] =>
    BUILTIN_TOOLS.filter(
      (name) => isBuiltinListed(mcp_tools, name) && allowsTool([caller.mcpTools], BUILTIN, name),
    ).map((name) => makers[name](namesTool(ask_tools, BUILTIN, name) ? ASKS : ALLOWED));
}

const ASKS: AgentToolRule = { in: () => 'ask', needsOtherDecider: false };
