import type { Turn } from '../conversations/turn.js';

/** Limit of the names that are kept. */
const MOST_SOURCES = 16;
/** The source of what a model wrote after it had read text of others. */
const CONVERSATION = 'conversation';
/** The source of content and documents. */
const KNOWLEDGE = 'knowledge';

/** What a run has read that neither its user nor this installation wrote, and that may contain instructions. */
export interface RunTaint {
  /** Names of tools, `knowledge`, or `conversation` for earlier answers. Empty: the run is not tainted. */
  readonly taintedBy: readonly string[];
}

/** The taint of a run that begins with these turns. */
export const taintOf = (turns: readonly Turn[], hasKnowledge: boolean): RunTaint =>
  taintedFurther({ taintedBy: hasKnowledge ? [KNOWLEDGE] : [] }, turns);

/** The taint of a run that has read these turns, too. */
export function taintedFurther({ taintedBy }: RunTaint, turns: readonly Turn[]): RunTaint {
  const untrusted = turns.filter((turn) => turn.untrusted);
  const sources = untrusted.flatMap(({ source }) => source ?? []);
  if (sources.length === 0 && untrusted.length > 0) sources.push(CONVERSATION);
  return { taintedBy: [...new Set([...taintedBy, ...sources])].slice(0, MOST_SOURCES) };
}

export const isTainted = ({ taintedBy }: RunTaint): boolean => taintedBy.length > 0;
