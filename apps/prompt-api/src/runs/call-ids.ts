import { newId } from '@millwright/db';
import type { ModelAnswer } from '@millwright/models';

/** Limits of the tool calls in one answer, because the calls are stored and sent. */
const MOST_CALLS = 128;
const ID_LENGTH = 100;

/** Gives each call of a tool a unique id. Some servers of models omit or repeat ids, but each output must name exactly one call. */
export function withCallIds(answer: ModelAnswer): ModelAnswer {
  if (answer.toolCalls.length === 0) return answer;
  const taken = new Set<string>();
  const toolCalls = answer.toolCalls.slice(0, MOST_CALLS).map((call) => {
    const isUsable = /^[\x21-\x7e]+$/.test(call.id) && call.id.length <= ID_LENGTH && !taken.has(call.id);
    const id = isUsable ? call.id : `call_${newId()}`;
    taken.add(id);
    return { ...call, id };
  });
  return { ...answer, toolCalls };
}
