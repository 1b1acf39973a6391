import { isJsonObject } from '@millwright/json';
import type { Approval, RunStep } from '../../api/runtime-records.js';

/** The outcome of an approval, as a sentence without a full stop. */
export function decisionText({ state, decided_by, edited_arguments }: Decided): string {
  const by = decided_by === null ? '' : ` by ${decided_by.name}`;
  switch (state) {
    case 'pending':
      return 'Waits for a decision';
    case 'approved':
    case 'used':
      return `Approved${by}${edited_arguments === null ? '' : ' with changed arguments'}`;
    case 'refused':
      return `Refused${by}`;
    case 'expired':
      return 'Nobody decided in time';
    case 'canceled':
      return 'The run ended before a decision';
  }
}
type Decided = Pick<Approval, 'state' | 'decided_by' | 'edited_arguments'>;

/** Explains why the server did not accept a decision. `approval`: the current state of the approval. */
export const conflictText = (approval: Decided | undefined): string =>
  approval === undefined || approval.state === 'pending'
    ? 'The run does not wait for this decision any more.'
    : `Not saved. ${decisionText(approval)}.`;

/** The reason why a call needs a decision. */
export function reasonText({ tainted_by, other_decider }: Pick<Approval, 'tainted_by' | 'other_decider'>): string {
  const who = other_decider ? ' Someone other than the requester has to decide.' : '';
  if (tainted_by.length === 0) return `A rule requires approval.${who}`;
  return `A rule requires approval. The run has read text from outside: ${tainted_by.join(', ')}.${who}`;
}

/** Parses the arguments; returns the object, or the reason why the text is not a JSON object. */
export function argumentsIn(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : 'Enter a JSON object: { … }';
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns the approvals by the number of the step of the tool call. If a model requests equal calls in one answer, their order decides. */
export function approvalsOfSteps(
  steps: readonly Pick<RunStep, 'seq' | 'kind' | 'asked_by' | 'tool' | 'arguments'>[],
  approvals: readonly Approval[],
): Map<number, Approval> {
  const left = [...approvals];
  const found = new Map<number, Approval>();
  for (const { seq, kind, asked_by, tool, arguments: args } of steps) {
    if (kind !== 'tool') continue;
    const index = left.findIndex(
      (one) => one.step === asked_by && one.tool === tool && (one.arguments === args || one.edited_arguments === args),
    );
    const [approval] = index < 0 ? [] : left.splice(index, 1);
    if (approval) found.set(seq, approval);
  }
  return found;
}
