import type { Caller } from '@millwright/auth';
import { AppError, invalidField } from '@millwright/errors';
import type { ModelAnswer, ModelMessage, Models } from '@millwright/models';
import type { ConversationStore } from '../conversations/conversations.store.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { SchemaValidator } from '../schema/index.js';
import { unavailableWhenBusy, type RenderedPrompt, type RenderService } from './render.service.js';
import type { RunInput } from './runs.contract.js';

/** What a run came to, before any of it is stored. */
export interface RunOutcome {
  /** What the user's turn reads in the conversation. */
  userContent: string;
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
    async run(prompt: StoredPrompt, caller: Caller, input: RunInput, idempotencyKey: string | undefined): Promise<RunOutcome> {
      const history = input.conversation ? await conversations.history(caller.project, input.conversation) : [];
      if (!history) throw new AppError('not_found');
      const rendered = await renderer.render(prompt, input, history);
      const userTurn = userContent(rendered, input.message);
      if (userTurn === '') throw invalidField('message', 'is required, because the prompt has no dynamic instruction');
      const messages = [...instructions(rendered), ...earlierTurns(rendered, history), { role: 'user' as const, content: userTurn }];
      const schema = prompt.output.resolved_schema;
      const wantsData = Object.keys(schema).length > 0;
      const request = {
        ...(wantsData && { output: { name: 'output', schema } }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      };
      const outcome = { userContent: input.message ?? rendered.dynamic, warnings: rendered.warnings };

      const first = await models.complete({ ...request, messages });
      if (!wantsData) return { ...outcome, answer: first, structuredData: asObject(first.text) ?? {}, success: first.refusal === null };
      const faults = await faultsOf(prompt, schema, first);
      if (faults.length === 0) return { ...outcome, answer: first, structuredData: asObject(first.text) ?? {}, success: true };

      const answer = await models.complete({ ...request, messages: [...messages, ...repair(first, faults)], ...retryKey(idempotencyKey) });
      const left = await faultsOf(prompt, schema, answer);
      const success = left.length === 0;
      const usage = addUsage(first, answer);
      return {
        ...outcome,
        answer: { ...answer, ...usage, completion: { ...answer.completion, usage: usage.usage } },
        structuredData: success ? (asObject(answer.text) ?? {}) : {},
        success,
        warnings: [...rendered.warnings, ...left],
      };
    },
  };

  /** Why the answer is not an instance of the output schema. */
  async function faultsOf(prompt: StoredPrompt, schema: object, answer: ModelAnswer): Promise<string[]> {
    if (answer.refusal !== null) return [`the model refused: ${answer.refusal}`];
    const data = parseJson(answer.text);
    if (data === undefined) return ["the model's answer is not JSON"];
    const result = await validator.validate(`${prompt.id}:${prompt.version}:output`, schema, data).catch(unavailableWhenBusy);
    return result.valid ? [] : result.faults.map(({ path, reason }) => `output${path && `.${path}`}: ${reason}`);
  }
}
export type RunService = ReturnType<typeof createRunService>;

function instructions(rendered: RenderedPrompt): ModelMessage[] {
  return [rendered.static, rendered.state].filter((text) => text !== '').map((content) => ({ role: 'system', content }));
}

/** The conversation so far, unless the template places it itself. */
function earlierTurns(rendered: RenderedPrompt, history: readonly { role: string; content: string }[]): ModelMessage[] {
  if (rendered.tokens.includes('conversation.history')) return [];
  return history.flatMap(({ role, content }): ModelMessage[] => (role === 'user' || role === 'assistant' ? [{ role, content }] : []));
}

/** The dynamic part; the message follows it when no part of the template takes it. */
function userContent(rendered: RenderedPrompt, message: string | undefined): string {
  const appended = rendered.tokens.includes('message') ? undefined : message;
  return [rendered.dynamic, appended].filter((text) => text !== undefined && text !== '').join('\n\n');
}

function repair(answer: ModelAnswer, faults: readonly string[]): ModelMessage[] {
  const reasons = faults.slice(0, 10).join('\n');
  return [
    { role: 'assistant', content: answer.text },
    { role: 'user', content: `That answer does not fit the required JSON schema:\n${reasons}\nAnswer again with corrected JSON and nothing else.` },
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // prose where JSON was due
  }
}

function asObject(text: string): Record<string, unknown> | undefined {
  const data = parseJson(text);
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : undefined;
}
