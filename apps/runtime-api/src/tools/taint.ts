import type { Turn } from '../conversations/turn.js';

/** Limit of the names that are kept. */
const MOST_SOURCES = 16;
/** The source of what a model wrote after it had read text of others. */
const CONVERSATION = 'conversation';
/** The source of content and documents. */
export const KNOWLEDGE = 'knowledge';
/** The source of a message that another system posted to a trigger. */
export const TRIGGER = 'trigger';
/** The source of a message that an agent wrote after it had read text of others. */
export const AGENT = 'agent';
/** The source of definitions that no admin approves. */
export const definitionsOf = (server: string) => `definitions of ${server}`;

/** What a run has read that neither its user nor this installation wrote, and that may contain instructions. */
export interface RunTaint {
  /** Names of tools, `knowledge`, `trigger`, `agent`, `definitions of …`, or `conversation` for earlier answers. Empty: the run is not tainted. */
  readonly taintedBy: readonly string[];
}

/** The taint of a run that begins with these turns, and with text from these sources. */
export const taintOf = (turns: readonly Turn[], sources: readonly string[]): RunTaint =>
  taintedFurther({ taintedBy: sources }, turns);

/** The taint of a run that has read these turns, too. */
export function taintedFurther({ taintedBy }: RunTaint, turns: readonly Turn[]): RunTaint {
  const untrusted = turns.filter((turn) => turn.untrusted);
  const sources = untrusted.flatMap(({ source }) => source ?? []);
  if (sources.length === 0 && untrusted.length > 0) sources.push(CONVERSATION);
  return { taintedBy: [...new Set([...taintedBy, ...sources])].slice(0, MOST_SOURCES) };
}

export const isTainted = ({ taintedBy }: RunTaint): boolean => taintedBy.length > 0;
