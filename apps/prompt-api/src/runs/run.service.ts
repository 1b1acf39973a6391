import type { Caller } from '@millwright/auth';
import { BudgetExceeded, type SpendingCall } from '@millwright/budgets';
import { invalidField } from '@millwright/errors';
import { requireAllowed, type Guards } from '@millwright/guards';
import {
  readsImage,
  statedOver,
  type ImageInput,
  type ModelAnswer,
  type ModelImage,
  type ModelMessage,
  type ModelRequest,
  type ModelSampling,
  type ModelTool,
  type ModelUse,
  type ProjectModels,
  type ToolChoice,
} from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import { parseAnswerObject } from './answer-json.js';
import { cutOff, dataFaults, repair, textFaults, withUsageOf, type OutputForm } from './check-answer.js';
import { compose, userTurn, windowExceeded, type ComposedMessages, type Composition } from './compose.js';
import type { HistoryMessage } from './fit-history.js';
import type { Reader } from '../references/references.store.js';
import { modelSubject, promptSubject, type NewPromptRun, type PromptRun, type PromptRuns } from './prompt-runs.js';
import type { RunSubject } from './runs.store.js';
import { prepareMessage, type RenderedPrompt, type RenderService, type RunValues } from './render.service.js';
import { beginStep } from './run-steps.js';
import { withCallIds } from './call-ids.js';

/** Receives the progress of a run. */
export interface RunProgress {
  /** Receives text as it arrives; `model` is the model that answers. */
  text: (delta: string, model: string) => void;
  /** Called when the model is called again, because its answer has these faults. The text received so far must be discarded. */
  repair: (faults: readonly string[]) => void;
}

export interface RunRequest {
  /** The user to whom the model usage is attributed. */
  caller: Caller;
  /** Guards for secrets and personal data in the run's texts. */
  guards: Guards;
  input: RunValues;
  /** Messages of the conversation so far, oldest first. */
  history: readonly HistoryMessage[];
  /** Number of older turns that are left out. */
  unread?: number;
  /** Name of the model; the installation's default model if omitted. */
  model?: string | undefined;
  /** Further instructions, each a separate message after the instructions of the prompt. */
  instructions?: readonly string[] | undefined;
  /** Messages after the user's: calls of the client's tools, and their outputs. */
  after?: readonly HistoryMessage[] | undefined;
  /** Images of the user's message. */
  images?: readonly ModelImage[] | undefined;
  /** Name of the message's author. */
  userName?: string | undefined;
  /** Tools of the client, which executes their calls itself. */
  tools?: readonly ModelTool[] | undefined;
  toolChoice?: ToolChoice | undefined;
  parallelToolCalls?: boolean | undefined;
  sampling?: ModelSampling | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  /** Replaces the prompt's own output schema; `null` means text. */
  output?: OutputForm | null | undefined;
  /** Refuses a conversation that exceeds the model's window, instead of leaving out its oldest turns. */
  wholeHistory?: boolean | undefined;
  idempotencyKey?: string | undefined;
  progress?: RunProgress | undefined;
  channel: NewPromptRun['channel'];
  /** Subject under which the run is stored. Default: the prompt's version, or the model. */
  subject?: RunSubject | undefined;
  /** Id of the conversation that the run continues. */
  conversationId?: string | undefined;
  /** Whether messages and answers of the run are stored; true by default. */
  keepsContent?: boolean | undefined;
  /** Id of the run; a new one by default. */
  runId?: string | undefined;
  /** The function is called once the run is stored, before its first call of the model; the run fails when this function fails. */
  onStart?: (() => Promise<void>) | undefined;
}

/** Outcome of a run, before any of it is stored. */
export interface RunOutcome {
  /** Text of the user's turn in the conversation. */
  userContent: string;
  /** Records that the user's message refers to. */
  references: RenderedPrompt['references'];
  answer: ModelAnswer;
  /** The run; the transaction that stores the outcome ends it. */
  run: PromptRun;
  /** The answer parsed as a JSON object; empty when the answer has faults or is not a JSON object. */
  structuredData: Record<string, unknown>;
  /** Faults that make the answer unusable; empty for a usable answer. */
  faults: string[];
  /** The faults and all other warnings. */
  warnings: string[];
}

/** An answer as the model wrote it, and as it is stored and returned. */
interface CheckedAnswer {
  written: ModelAnswer;
  answer: ModelAnswer;
}

/** Runs a prompt, or a message without a prompt, with a model. The caller must store the outcome with `run.store`. */
export function createRunService(
  models: ProjectModels,
  renderer: Pick<RenderService, 'prepare'>,
  validator: Pick<SchemaValidator, 'of'>,
  promptRuns: Pick<PromptRuns, 'start'>,
) {
  /** Completes a request; calls the model a second time when the answer does not fit. */
  async function completeChecked(
    { caller, guards, progress, idempotencyKey }: RunRequest,
    run: PromptRun,
    call: ModelRequest & { model: string },
    form: OutputForm | undefined,
    composeRepair: (tail: readonly ModelMessage[]) => Promise<ComposedMessages | undefined>,
  ): Promise<{ answer: ModelAnswer; faults: string[]; repaired?: ComposedMessages }> {
    const schemas = validator.of(caller.project);
    /** Returns the faults of the model's original answer. The guards redact the texts of the faults. */
    const faultsOf = async ({ written, answer }: CheckedAnswer): Promise<string[]> => {
      if (!form || answer.refusal) return textFaults(answer);
      return (await guards.value('output', await dataFaults(schemas, form, written))).value;
    };
    const complete = async (reserved: SpendingCall): Promise<CheckedAnswer> => {
      const { request, priceOf, isPaidOnce } = reserved;
      const cut: ModelUse[] = [];
      const onCut = (use: ModelUse) => void cut.push(use);
      const step = beginStep(request, call.model, progress !== undefined);
      let by = '';
      const shown = progress && guards.stream((delta) => progress.text(delta, by));
      const onText =
        shown &&
        step.streaming((delta, model) => {
          by = model;
          shown.push(delta);
        });
      let written: ModelAnswer | undefined;
      try {
        const present = await models.of(caller.project);
        const completed = await present.complete(
          { ...request, signal: run.signal },
          { onText, onCut, priceOf, isPaidOnce },
        );
        written = withCallIds(completed);
        const answer = requireAllowed(await guards.answer(written));
        shown?.end(answer.text);
        run.addCall({ step: step.answered(answer), reserved, uses: [...cut, written] });
        return { written, answer };
      } catch (error) {
        run.addCall({ step: step.failed(error), reserved, uses: [...cut, ...(written ? [written] : [])] });
        throw error;
      }
    };
    const completed = await complete(await run.reserve(call));
    const { answer: first } = completed;
    const faults = await faultsOf(completed);
    const repaired =
      form && faults.length > 0 && !first.refusal ? await composeRepair(repair(first, faults)) : undefined;
    // The repair is another request to the model's server, so it needs another Idempotency-Key.
    const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-repair` };
    const again = repaired && (await run.reserve({ ...call, messages: repaired.messages, ...key }).catch(noBudget));
    await run.keepCalls(!again);
    if (!form || !repaired || !again) return { answer: first, faults };
    progress?.repair(faults);
    const second = await complete(again);
    await run.keepCalls(true);
    return { answer: withUsageOf(first, second.answer), faults: await faultsOf(second), repaired };
  }

  return {
    /** @throws AppError validation_error, guard_blocked, unavailable when no model answers. */
    async run(reader: Reader, prompt: StoredPrompt | undefined, request: RunRequest): Promise<RunOutcome> {
      const { input, guards, unread = 0, idempotencyKey, tools = [], after = [], images = [] } = request;
      const present = await models.of(request.caller.project);
      const model = request.model ?? present.defaultModel;
      const stated = statedOver(request, prompt?.model_parameters ?? {});
      const form = request.output === undefined ? prompt && formOf(prompt) : (request.output ?? undefined);
      const prepare = (values: RunValues) =>
        prompt ? renderer.prepare(reader, prompt, values, guards) : prepareMessage(values.message, guards);
      const prepared = await prepare(input);
      const { sent } = prepared;
      const seen = seenHistory(request, present.imageInput(model), prepared.historyTokens > 0, model);
      const parts: Composition = {
        prepared,
        message: sent.message,
        userName: request.userName,
        images,
        history: await guards.messages(seen.history),
        after: await guards.messages(after, after),
        instructions: request.instructions ?? [],
        tools,
        schema: form?.schema,
        window: { model, size: present.contextWindow(model), answer: stated.maxTokens },
      };
      const composed = await compose(parts, []);
      if (!composed) throw await windowExceeded(parts, await prepare({ ...input, message: undefined }));
      const { messages, rendered } = composed;
      const dropped = composed.dropped + unread;
      if (prompt && after.length === 0 && images.length === 0 && userTurn(rendered, sent.message) === '')
        throw invalidField('message', 'is required, because the prompt has no dynamic instruction');
      if (dropped > 0 && request.wholeHistory) throw historyTooLong(model);
      const call: ModelRequest & { model: string } = {
        model,
        messages,
        ...stated,
        ...(form && { output: { name: form.name, schema: form.schema } }),
        ...(tools.length > 0 && { tools }),
        ...(request.toolChoice !== undefined && { toolChoice: request.toolChoice }),
        ...(request.parallelToolCalls !== undefined && { parallelToolCalls: request.parallelToolCalls }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      };
      const run = await promptRuns.start(request.caller, {
        id: request.runId,
        subject: request.subject ?? (prompt ? promptSubject(prompt) : modelSubject(model)),
        channel: request.channel,
        keepsContent: request.keepsContent ?? true,
        conversationId: request.conversationId,
        input: sent,
        model,
      });
      const outcome = (answer: ModelAnswer, faults: string[], turnsDropped = dropped): RunOutcome => ({
        run,
        userContent: sent.message || rendered.dynamic,
        references: rendered.references,
        answer,
        structuredData: (faults.length === 0 && parseAnswerObject(answer.text)) || {},
        faults,
        warnings: [
          ...new Set([
            ...rendered.warnings,
            ...seen.warnings,
            ...droppedTurns(turnsDropped, model),
            ...faults,
            ...cutOff(answer),
          ]),
        ],
      });

      const { answer, faults, repaired } = await run.doPart(async () => {
        await request.onStart?.();
        return completeChecked(request, run, call, form, (tail) => compose(parts, tail));
      });
      return outcome(answer, faults, repaired && repaired.dropped + unread);
    },
  };
}
export type RunService = ReturnType<typeof createRunService>;

/** Error handler for a repair that exceeds a budget: the repair is left out, and the first answer is used with its faults. */
function noBudget(error: unknown): undefined {
  if (!(error instanceof BudgetExceeded)) throw error;
}

/** Returns the output schema of the prompt; `undefined` for a prompt without a schema, for which any text is valid. */
function formOf({ id, version, output }: StoredPrompt): OutputForm | undefined {
  const schema = output.resolved_schema;
  return Object.keys(schema).length > 0 ? { name: 'output', schema, key: `${id}:${version}:output` } : undefined;
}

/** Returns the reason why a model cannot read an image. */
const unreadReason = (input: ImageInput, model: string): string =>
  input === 'none' ? `the model ${model} reads none` : `the server of the model ${model} fetches no addresses`;

/** Advice in the error for an image that a model does not read. */
const UNREAD_ADVICE = {
  none: 'an admin sets `images` of models that do',
  data: 'send the image as a data URL, or let an admin set `image_urls` of the model',
};

/**
 * Returns the conversation without the images that the model does not read, with a warning about them.
 *
 * @throws AppError validation_error when the request itself has an image that the model does not read
 */
function seenHistory(
  { history, images = [], after = [], wholeHistory }: RunRequest,
  input: ImageInput,
  isRendered: boolean,
  model: string,
): { history: readonly HistoryMessage[]; warnings: string[] } {
  const isRead = (image: ModelImage) => readsImage(input, image);
  const earlier = history.flatMap((message) => message.images ?? []);
  const own = [...images, ...after.flatMap((message) => message.images ?? []), ...(wholeHistory ? earlier : [])];
  if (input !== 'addresses' && !own.every(isRead))
    throw invalidField('message', `has an image, and ${unreadReason(input, model)}: ${UNREAD_ADVICE[input]}`);
  if (earlier.every((image) => !isRendered && isRead(image))) return { history, warnings: [] };
  const reason = isRendered ? 'the prompt inserts its conversation as text' : unreadReason(input, model);
  return {
    history: history.map((message) => ({
      ...message,
      images: isRendered ? undefined : message.images?.filter(isRead),
    })),
    warnings: [`Images of the conversation were left out: ${reason}.`],
  };
}

function historyTooLong(model: string) {
  return invalidField('message', `is too long for the window of the model ${model} together with the conversation`);
}

function droppedTurns(dropped: number, model: string): string[] {
  if (dropped === 0) return [];
  const turns = dropped === 1 ? 'turn was' : `${dropped} turns were`;
  return [`The conversation is longer than the window of the model ${model}: its oldest ${turns} left out.`];
}
