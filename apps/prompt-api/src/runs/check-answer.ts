import { createHash } from 'node:crypto';
import type { ModelAnswer, ModelMessage, ModelUse } from '@millwright/models';
import type { ProjectSchemas } from '@millwright/schemas';
import { parseAnswer } from './answer-json.js';

/** Output schema that an answer must satisfy. */
export interface OutputForm {
  /** Name of the schema in the request to the model. */
  name: string;
  schema: Record<string, unknown>;
  /** Key under which the compiled schema is cached. Different schemas must have different keys. */
  key: string;
}

/** Returns the cache key of a schema that is part of a request. */
export const keyOfSchema = (schema: object) =>
  `format:${createHash('sha256').update(JSON.stringify(schema)).digest('base64url')}`;

/** Returns the faults of an answer when no output schema applies. */
export function textFaults({ refusal, text, finishReason, toolCalls }: ModelAnswer): string[] {
  if (toolCalls.length > 0) return [];
  if (refusal) return [`the model refused: ${refusal}`];
  return text === '' ? [`the model's answer is empty (finish reason: ${finishReason})`] : [];
}

/** Returns the warnings about an answer that was cut off. */
export function cutOff({ text, finishReason }: ModelAnswer): string[] {
  if (text === '' || (finishReason !== 'length' && finishReason !== 'content_filter')) return [];
  return [`the model's answer was cut off (finish reason: ${finishReason})`];
}

/** Returns the faults of an answer when an output schema applies; empty when the answer fits the schema. */
export async function dataFaults(
  schemas: Pick<ProjectSchemas, 'validate'>,
  { key, schema }: OutputForm,
  answer: ModelAnswer,
): Promise<string[]> {
  if (answer.refusal || answer.toolCalls.length > 0) return textFaults(answer);
  const cut = cutOff(answer);
  if (cut.length > 0) return cut;
  const data = parseAnswer(answer.text);
  if (data === undefined) return ["the model's answer is not JSON"];
  const result = await schemas.validate(key, schema, data);
  return result.valid ? [] : result.faults.map(({ path, reason }) => `output${path && `.${path}`}: ${reason}`);
}

/** Returns the messages that request a corrected answer from the model. */
export function repair(answer: ModelAnswer, faults: readonly string[]): ModelMessage[] {
  const reasons = faults.slice(0, 10).join('\n');
  return [
    ...(answer.text === '' ? [] : [{ role: 'assistant' as const, content: answer.text }]),
    {
      role: 'user',
      content: `That answer does not fit the required JSON schema:\n${reasons}\nAnswer again with corrected JSON and nothing else.`,
    },
  ];
}

/** Returns the sum of the usage of two calls, with the model of the second call. */
export function sumOfUses(first: ModelUse, second: ModelUse): ModelUse {
  const { prompt_tokens_details: cached, completion_tokens_details: thought } = first.usage;
  const { prompt_tokens_details: cachedToo, completion_tokens_details: thoughtToo } = second.usage;
  const usage = {
    prompt_tokens: first.usage.prompt_tokens + second.usage.prompt_tokens,
    completion_tokens: first.usage.completion_tokens + second.usage.completion_tokens,
    total_tokens: first.usage.total_tokens + second.usage.total_tokens,
    // Details are added up only when both calls have them. Otherwise their sum is unknown, and they are left out.
    ...(cached &&
      cachedToo && { prompt_tokens_details: { cached_tokens: cached.cached_tokens + cachedToo.cached_tokens } }),
    ...(thought &&
      thoughtToo && {
        completion_tokens_details: { reasoning_tokens: thought.reasoning_tokens + thoughtToo.reasoning_tokens },
      }),
  };
  const costUsd = first.costUsd === null || second.costUsd === null ? null : first.costUsd + second.costUsd;
  return { model: second.model, usage, costUsd, estimated: first.estimated || second.estimated };
}

/** Returns the second answer with the usage of both calls. */
export function withUsageOf(first: ModelAnswer, second: ModelAnswer): ModelAnswer {
  const { usage, costUsd, estimated } = sumOfUses(first, second);
  return { ...second, usage, costUsd, estimated, completion: { ...second.completion, usage } };
}
