import type { Turn } from '../conversations/turn.js';

/** Maximum number of stored source names. */
const MOST_SOURCES = 16;
/** The source name of text that a model wrote in a tainted run. */
const CONVERSATION = 'conversation';
/** The source name of the project's content and of documents of plugins. */
export const KNOWLEDGE = 'knowledge';
/** The source name of a message that another system posted to a trigger. */
export const TRIGGER = 'trigger';
/** The source name of a message that an agent wrote in a tainted run. */
export const AGENT = 'agent';
/** The source name of tool definitions that are used without an admin's approval. */
export const definitionsOf = (server: string) => `definitions of ${server}`;

/** The sources of texts in a run that neither its user nor this installation wrote. Such texts may contain instructions. */
export interface RunTaint {
  /**
   * Names of tools, `knowledge`, `trigger`, `agent`, `definitions of …`, or `conversation` for earlier answers. Empty when the run is not
   * tainted.
   */
  readonly taintedBy: readonly string[];
}

/** The taint of a run that begins with these turns and with texts of these sources. */
export const taintOf = (turns: readonly Turn[], sources: readonly string[]): RunTaint =>
  taintedFurther({ taintedBy: sources }, turns);

/** Returns the taint of a run that has also read these turns. */
export function taintedFurther({ taintedBy }: RunTaint, turns: readonly Turn[]): RunTaint {
  const untrusted = turns.filter((turn) => turn.untrusted);
  const sources = untrusted.flatMap(({ source }) => source ?? []);
  if (sources.length === 0 && untrusted.length > 0) sources.push(CONVERSATION);
  return { taintedBy: [...new Set([...taintedBy, ...sources])].slice(0, MOST_SOURCES) };
}

export const isTainted = ({ taintedBy }: RunTaint): boolean => taintedBy.length > 0;
