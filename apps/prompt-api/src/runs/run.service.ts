import { invalidField } from '@millwright/errors';
import type { ModelAnswer, ModelRequest, Models } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import { parseAnswerObject } from './answer-json.js';
import { cutOff, dataFaults, repair, textFaults, withUsageOf, type OutputForm } from './check-answer.js';
import { compose, refuseTooLong, userTurn, type Composition } from './compose.js';
import type { HistoryMessage } from './fit-history.js';
import type { Reader } from '../references/references.store.js';
import type { RenderedPrompt, RenderService, RunValues } from './render.service.js';

/** Told of a run while it goes on. */
export interface RunProgress {
  /** `model`: the one that answers. */
  text: (delta: string, model: string) => void;
  /** All text so far is void: the model is asked once more. */
  repair: (faults: readonly string[]) => void;
}

export interface RunRequest {
  input: RunValues;
  /** The conversation so far, oldest first. */
  history: readonly HistoryMessage[];
  /** Turns before those, which are left out. */
  unread?: number;
  /** Default: the installation's default model. */
  model?: string | undefined;
  instructions?: string | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  /** In place of the prompt's own output schema; `null`: text. */
  output?: OutputForm | null | undefined;
  /** Refuses a conversation that is longer than the model's window instead of leaving its oldest turns out. */
  wholeHistory?: boolean | undefined;
  idempotencyKey?: string | undefined;
  progress?: RunProgress | undefined;
}

/** What a run came to, before any of it is stored. */
export interface RunOutcome {
  /** What the user's turn reads in the conversation. */
  userContent: string;
  /** What the user's turn refers to. */
  references: RenderedPrompt['references'];
  answer: ModelAnswer;
  /** The answer as data: an instance of the output schema when `success`. */
  structuredData: Record<string, unknown>;
  /** Why the answer is unusable; empty when it is not. */
  faults: string[];
  /** The faults, and all else that is to be said. */
  warnings: string[];
}

/** Runs a prompt against a model. Nothing is stored here. */
export function createRunService(
  models: Models,
  renderer: Pick<RenderService, 'prepare'>,
  validator: Pick<SchemaValidator, 'validate'>,
) {
  async function ask(request: ModelRequest, progress: RunProgress | undefined): Promise<ModelAnswer> {
    if (!progress) return models.complete(request);
    let answer: ModelAnswer | undefined;
    for await (const event of models.stream(request)) {
      if (event.type === 'text') progress.text(event.delta, event.model);
      else answer = event.answer;
    }
    if (!answer) throw new Error('A stream of a model ended without an answer.');
    return answer;
  }

  return {
    /** @throws AppError validation_error, unavailable when no model answers. */
    async run(reader: Reader, prompt: StoredPrompt, request: RunRequest): Promise<RunOutcome> {
      const { input, history, unread = 0, progress, idempotencyKey } = request;
      const model = request.model ?? models.defaultModel;
      const form = request.output === undefined ? formOf(prompt) : (request.output ?? undefined);
      const parts: Composition = {
        prepared: await renderer.prepare(reader, prompt, input),
        message: input.message,
        history,
        instructions: request.instructions,
        schema: form?.schema,
        window: { model, size: models.contextWindow(model), answer: request.maxTokens },
      };
      const tooLong = async () =>
        refuseTooLong(parts, await renderer.prepare(reader, prompt, { ...input, message: undefined }));
      const composed = (await compose(parts, [])) ?? (await tooLong());
      const { messages, rendered } = composed;
      const dropped = composed.dropped + unread;
      if (userTurn(rendered, input.message) === '')
        throw invalidField('message', 'is required, because the prompt has no dynamic instruction');
      if (dropped > 0 && request.wholeHistory) throw historyTooLong(model);
      const call: ModelRequest = {
        model,
        messages,
        ...(request.temperature !== undefined && { temperature: request.temperature }),
        ...(request.maxTokens !== undefined && { maxTokens: request.maxTokens }),
        ...(form && { output: { name: form.name, schema: form.schema } }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      };
      const outcome = (answer: ModelAnswer, faults: string[], turnsDropped = dropped): RunOutcome => ({
        userContent: input.message || rendered.dynamic,
        references: rendered.references,
        answer,
        structuredData: (faults.length === 0 && parseAnswerObject(answer.text)) || {},
        faults,
        warnings: [
          ...new Set([...rendered.warnings, ...droppedTurns(turnsDropped, model), ...faults, ...cutOff(answer)]),
        ],
      });

      const first = await ask(call, progress);
      if (!form) return outcome(first, textFaults(first));
      const faults = await dataFaults(validator, form, first);
      if (faults.length === 0 || first.refusal) return outcome(first, faults);

      const again = await compose(parts, repair(first, faults));
      if (!again) return outcome(first, faults);
      progress?.repair(faults);
      // The repair is a request of its own to the upstream.
      const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-repair` };
      const second = await ask({ ...call, messages: again.messages, ...key }, progress);
      return outcome(withUsageOf(first, second), await dataFaults(validator, form, second), again.dropped + unread);
    },
  };
}
export type RunService = ReturnType<typeof createRunService>;

/** The prompt's own output schema; a prompt without one takes any text. */
function formOf({ id, version, output }: StoredPrompt): OutputForm | undefined {
  const schema = output.resolved_schema;
  return Object.keys(schema).length > 0 ? { name: 'output', schema, key: `${id}:${version}:output` } : undefined;
}

function historyTooLong(model: string) {
  return invalidField('message', `is too long for the window of the model ${model} together with the conversation`);
}

function droppedTurns(dropped: number, model: string): string[] {
  if (dropped === 0) return [];
  const turns = dropped === 1 ? 'turn was' : `${dropped} turns were`;
  return [`The conversation is longer than the window of the model ${model}: its oldest ${turns} left out.`];
}
