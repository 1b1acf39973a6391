import { AppError, invalidField } from '@millwright/errors';
import type { ModelAnswer, ModelMessage, Models } from '@millwright/models';
import type { ConversationStore } from '../conversations/conversations.store.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { Reader } from '../references/references.store.js';
import type { SchemaValidator } from '@millwright/schemas';
import { parseAnswer, parseAnswerObject } from './answer-json.js';
import type { RenderedPrompt, RenderService } from './render.service.js';
import type { RunInput } from './runs.contract.js';

/** What a run came to, before any of it is stored. */
export interface RunOutcome {
  /** What the user's turn reads in the conversation. */
  userContent: string;
  /** What the user's turn refers to. */
  references: RenderedPrompt['references'];
  answer: ModelAnswer;
  /** The answer as data: an instance of the output schema when `success`. */
  structuredData: Record<string, unknown>;
  success: boolean;
  warnings: string[];
}

/** Runs a prompt against a model. Nothing is stored here. */
export function createRunService(
  models: Models,
  renderer: RenderService,
  validator: SchemaValidator,
  conversations: ConversationStore,
) {
  return {
    /** @throws AppError not_found for an unknown conversation, validation_error, unavailable when no model answers. */
    async run(
      prompt: StoredPrompt,
      reader: Reader,
      input: RunInput,
      idempotencyKey: string | undefined,
    ): Promise<RunOutcome> {
      const history = input.conversation ? await conversations.history(reader.project, input.conversation) : [];
      if (!history) throw new AppError('not_found');
      const rendered = await renderer.render(reader, prompt, input, history);
      const userTurn = userContent(rendered, input.message);
      if (userTurn === '') throw invalidField('message', 'is required, because the prompt has no dynamic instruction');
      const messages = [
        ...instructions(rendered),
        ...earlierTurns(rendered, history),
        { role: 'user' as const, content: userTurn },
      ];
      const schema = prompt.output.resolved_schema;
      const wantsData = Object.keys(schema).length > 0;
      const request = {
        ...(wantsData && { output: { name: 'output', schema } }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      };
      const outcome = (answer: ModelAnswer, faults: readonly string[]): RunOutcome => ({
        userContent: input.message || rendered.dynamic,
        references: rendered.references,
        answer,
        structuredData: (faults.length === 0 && parseAnswerObject(answer.text)) || {},
        success: faults.length === 0,
        warnings: [...rendered.warnings, ...faults],
      });

      const first = await models.complete({ ...request, messages });
      const faults = wantsData ? await dataFaults(prompt, schema, first) : textFaults(first);
      // Another try helps neither against a refusal nor where no form was asked for.
      if (faults.length === 0 || first.refusal || !wantsData) return outcome(first, faults);

      const second = await models.complete({
        ...request,
        messages: [...messages, ...repair(first, faults)],
        ...retryKey(idempotencyKey),
      });
      const { usage, costUsd } = addUsage(first, second);
      const both = { ...second, usage, costUsd, completion: { ...second.completion, usage } };
      return outcome(both, await dataFaults(prompt, schema, second));
    },
  };

  /** Why the answer is not an instance of the output schema. */
  async function dataFaults(prompt: StoredPrompt, schema: object, answer: ModelAnswer): Promise<string[]> {
    if (answer.refusal) return textFaults(answer);
    const data = parseAnswer(answer.text);
    if (data === undefined) return ["the model's answer is not JSON"];
    const result = await validator.validate(`${prompt.id}:${prompt.version}:output`, schema, data);
    return result.valid ? [] : result.faults.map(({ path, reason }) => `output${path && `.${path}`}: ${reason}`);
  }
}
export type RunService = ReturnType<typeof createRunService>;

/** Why the answer is no answer. */
function textFaults({ refusal, text, finishReason }: ModelAnswer): string[] {
  if (refusal) return [`the model refused: ${refusal}`];
  return text === '' ? [`the model's answer is empty (finish reason: ${finishReason})`] : [];
}

function instructions(rendered: RenderedPrompt): ModelMessage[] {
  return [rendered.static, rendered.state]
    .filter((text) => text !== '')
    .map((content) => ({ role: 'system', content }));
}

/** The conversation so far, unless the template places it itself. */
function earlierTurns(rendered: RenderedPrompt, history: readonly { role: string; content: string }[]): ModelMessage[] {
  if (rendered.tokens.includes('conversation.history')) return [];
  return history.flatMap(({ role, content }): ModelMessage[] =>
    role === 'user' || role === 'assistant' ? [{ role, content }] : [],
  );
}

/** The dynamic part; the message follows it when no part of the template takes it. */
function userContent(rendered: RenderedPrompt, message: string | undefined): string {
  const appended = rendered.tokens.includes('message') ? undefined : message;
  return [rendered.dynamic, appended].filter((text) => text !== undefined && text !== '').join('\n\n');
}

function repair(answer: ModelAnswer, faults: readonly string[]): ModelMessage[] {
  const reasons = faults.slice(0, 10).join('\n');
  return [
    ...(answer.text === '' ? [] : [{ role: 'assistant' as const, content: answer.text }]),
    {
      role: 'user',
      content: `That answer does not fit the required JSON schema:\n${reasons}\nAnswer again with corrected JSON and nothing else.`,
    },
  ];
}

/** The repair is a request of its own to the upstream. */
function retryKey(key: string | undefined): { idempotencyKey?: string } {
  return key === undefined ? {} : { idempotencyKey: `${key}-repair` };
}

function addUsage(first: ModelAnswer, second: ModelAnswer) {
  const usage = {
    prompt_tokens: first.usage.prompt_tokens + second.usage.prompt_tokens,
    completion_tokens: first.usage.completion_tokens + second.usage.completion_tokens,
    total_tokens: first.usage.total_tokens + second.usage.total_tokens,
  };
  const costUsd = first.costUsd === null || second.costUsd === null ? null : first.costUsd + second.costUsd;
  return { usage, costUsd };
}
