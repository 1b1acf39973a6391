import { createHash } from 'node:crypto';
import type { ModelAnswer, ModelMessage } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import { parseAnswer } from './answer-json.js';

/** The form that an answer must have. */
export interface OutputForm {
  /** What the model is told it is called. */
  name: string;
  schema: Record<string, unknown>;
  /** Names the compiled schema: one key, one schema. */
  key: string;
}

/** A key for a schema that comes with the request. */
export const keyOfSchema = (schema: object) =>
  `format:${createHash('sha256').update(JSON.stringify(schema)).digest('base64url')}`;

/** Why an answer of no particular form is none. */
export function textFaults({ refusal, text, finishReason }: ModelAnswer): string[] {
  if (refusal) return [`the model refused: ${refusal}`];
  return text === '' ? [`the model's answer is empty (finish reason: ${finishReason})`] : [];
}

/** What is to be said about an answer that ended before its time. */
export function cutOff({ text, finishReason }: ModelAnswer): string[] {
  if (text === '' || (finishReason !== 'length' && finishReason !== 'content_filter')) return [];
  return [`the model's answer was cut off (finish reason: ${finishReason})`];
}

/** Why the answer is not an instance of the output schema. */
export async function dataFaults(
  validator: Pick<SchemaValidator, 'validate'>,
  { key, schema }: OutputForm,
  answer: ModelAnswer,
): Promise<string[]> {
  if (answer.refusal) return textFaults(answer);
  const cut = cutOff(answer);
  if (cut.length > 0) return cut;
  const data = parseAnswer(answer.text);
  if (data === undefined) return ["the model's answer is not JSON"];
  const result = await validator.validate(key, schema, data);
  return result.valid ? [] : result.faults.map(({ path, reason }) => `output${path && `.${path}`}: ${reason}`);
}

/** What asks the model to answer once more. */
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

/** One answer for what two calls used. */
export function withUsageOf(first: ModelAnswer, second: ModelAnswer): ModelAnswer {
  const usage = {
    prompt_tokens: first.usage.prompt_tokens + second.usage.prompt_tokens,
    completion_tokens: first.usage.completion_tokens + second.usage.completion_tokens,
    total_tokens: first.usage.total_tokens + second.usage.total_tokens,
  };
  const costUsd = first.costUsd === null || second.costUsd === null ? null : first.costUsd + second.costUsd;
  return { ...second, usage, costUsd, completion: { ...second.completion, usage } };
}
