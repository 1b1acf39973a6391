import type { DraftRunResult, Prompt } from '../../api/prompt-records.js';
import { parametersIn } from '../../ui/parameter-values.js';
import type { Candidate } from '../workbench/candidate.js';
import { draftOf, type PromptValues } from './prompt-fields.js';
import type { Trial } from './trial.js';

export type TypedInput = Pick<Trial, 'message' | 'texts' | 'json'>;

/** A message and its answer, in one column. */
export interface BenchTurn {
  /** The user's message; empty when the prompt was run without a message. */
  message: string;
  /** The input as it was typed. */
  input: TypedInput;
  text: string;
  state: 'working' | 'done' | 'stopped' | 'failed';
  repairs: string[];
  ms?: number;
  result?: DraftRunResult;
  error?: Error;
}

/** Maximum number of messages in one request. */
const MOST_MESSAGES = 100;

/** Returns the messages of a column that its next run sends: those of the answered turns, with the exact text of the model. */
export function historyOf(turns: readonly BenchTurn[]): { role: 'user' | 'assistant'; content: string }[] {
  const answered = turns.flatMap(({ message, result }) =>
    result
      ? [
          { role: 'user' as const, content: message },
          { role: 'assistant' as const, content: result.data.content },
        ]
      : [],
  );
  return answered.filter(({ content }) => content !== '').slice(-MOST_MESSAGES);
}

/** The prompt of a saved version, in the form that the endpoint for drafts accepts. */
const versionDraft = ({ instruction, input, output, model_parameters }: Prompt) => {
  const definition = ({ schema, reference }: Prompt['input']) => ({
    schema,
    reference: reference.map(({ uuid }) => uuid),
  });
  return { instruction, input: definition(input), output: definition(output), model_parameters };
};

/** Makes the request for a candidate's run; undefined while its schema is not JSON or its version is not loaded. */
export function runBody(
  candidate: Candidate,
  values: PromptValues,
  saved: Prompt | undefined,
  { promptId, input, turns }: { promptId: string | undefined; input: object; turns: readonly BenchTurn[] },
): object | undefined {
  const draft = draftOf(values);
  const own = draft && { ...draft, model_parameters: parametersIn(values.model_parameters) };
  const chosen = candidate.version === null ? own : saved && versionDraft(saved);
  if (!chosen) return undefined;
  const { model, parameters } = candidate;
  return {
    ...chosen,
    ...(parameters && { model_parameters: parametersIn(parameters) }),
    ...(model !== '' && { model }),
    ...(promptId !== undefined && { prompt: promptId }),
    history: historyOf(turns),
    ...input,
  };
}
