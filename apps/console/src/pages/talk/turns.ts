import type { ContextMessage, MessageEvent } from '../../api/runtime-records.js';
import { storedImage, type ShownImage } from './shown-image.js';

export type MessageRun = NonNullable<ContextMessage['run']>;

/** A tool call as the page shows it. */
export interface ToolUse {
  id: string;
  tool: string;
  arguments: string;
  state: 'running' | 'done' | 'failed';
  answer?: string | undefined;
}

/** A part of an answer: text, then tool calls. */
export interface Step {
  text: string;
  tools: ToolUse[];
  /** Whether the text was written by a process that no longer executes the run. The first text of the next process replaces this text. */
  isEarlier?: boolean;
}

export interface Turn {
  id: string;
  role: 'user' | 'assistant';
  steps: Step[];
  /** Images of a user's message. */
  images?: readonly ShownImage[];
  at?: string;
  /** Whether this turn of the user has no answer because the agent failed. */
  failed?: boolean;
  /** The run that answers the user's message. Only the last turn of an exchange has it. */
  run?: MessageRun;
}

/** Stored messages as turns: consecutive messages of the agent are the steps of one turn. */
export function turnsOf(messages: readonly ContextMessage[], contextId: string): Turn[] {
  const turns: Turn[] = [];
  let lastRun: MessageRun | undefined;
  const shown = storedImage(contextId);
  for (const { id, role, content, timestamp, images, tools, failed, run } of messages) {
    const step: Step = {
      text: content,
      tools: tools.map(({ answer, failed: hasFailed, ...use }) => ({
        ...use,
        state: answer === null ? 'running' : hasFailed ? 'failed' : 'done',
        answer: answer ?? undefined,
      })),
    };
    const last = turns.at(-1);
    if (role === 'assistant' && last?.role === 'assistant') last.steps.push(step);
    else
      turns.push({
        ...{ id, role, steps: [step], at: timestamp },
        ...(images.length > 0 && { images: images.map(shown) }),
        ...(failed && { failed }),
      });
    if (run) lastRun = run;
    else if (role === 'user') lastRun = undefined;
    const [ending, before] = [turns.at(-1), turns.at(-2)];
    if (ending && lastRun) {
      ending.run = lastRun;
      // The turn with the answer now has the run, so the run is removed from the user's turn.
      if (role === 'assistant' && before?.role === 'user') delete before.run;
    }
  }
  return turns;
}

/** Returns the steps of a streamed answer after one more event. */
export function withProgress(steps: readonly Step[], progress: MessageEvent): Step[] {
  if (progress.event === 'run.running' && 'taken_over' in progress.data)
    return steps.map((step) => ({ ...step, isEarlier: true }));
  if (!('step' in progress.data)) return [...steps];
  const at = progress.data.step - 1;
  const grown: Step[] = Array.from({ length: Math.max(steps.length, at + 1) }, (_, n) => steps[n] ?? empty());
  const step = grown[at] ?? empty();
  grown[at] = changed(step, progress);
  return grown;
}

const empty = (): Step => ({ text: '', tools: [] });

function changed(step: Step, progress: MessageEvent): Step {
  switch (progress.event) {
    case 'message.delta':
      if (step.isEarlier) return { ...step, text: progress.data.delta, isEarlier: false };
      return { ...step, text: step.text + progress.data.delta };
    case 'tool.call': {
      const { id, tool, arguments: args } = progress.data;
      const others = step.tools.filter((use) => use.id !== id);
      return { ...step, tools: [...others, { id, tool, arguments: args, state: 'running' }] };
    }
    case 'tool.result': {
      const { id, ok } = progress.data;
      return {
        ...step,
        tools: step.tools.map((use) => (use.id === id ? { ...use, state: ok ? 'done' : 'failed' } : use)),
      };
    }
    default:
      return step;
  }
}
