import { z } from 'zod';
import type {
  ModelAnswer,
  ModelCompletion,
  ModelDefinition,
  ModelMessage,
  ModelPrices,
  ModelToolCall,
  ModelUsage,
  ModelUse,
} from './model.js';
import { countMessages, countTokens } from './count-tokens.js';
import type { Received } from './received.js';

/** Error for an answer of the upstream that is not a chat completion. */
export class NotACompletion extends Error {
  constructor(reason: string) {
    super(`The upstream's answer is not a chat completion: ${reason}.`);
    this.name = 'NotACompletion';
  }
}

const ToolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const Choice = z.looseObject({
  finish_reason: z.string().nullish(),
  message: z.looseObject({
    content: z.string().nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(ToolCall).nullish(),
  }),
});

const TokenCount = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const Usage = z.object({
  prompt_tokens: TokenCount,
  completion_tokens: TokenCount.default(0),
  total_tokens: TokenCount.optional(),
  prompt_tokens_details: z.object({ cached_tokens: TokenCount }).optional().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: TokenCount }).optional().catch(undefined),
});

/** The answer of a server. Any value is accepted in fields that are not used and that differ between servers. */
const UpstreamCompletion = z.object({
  id: z.string().catch(''),
  created: z.int().min(0).catch(0),
  model: z.string().catch(''),
  system_fingerprint: z.string().catch(''),
  choices: z.tuple([Choice], z.unknown()),
  usage: z.unknown().optional(),
});

export interface Completion {
  body: ModelCompletion & { choices: [z.output<typeof Choice>, ...unknown[]] };
  /** Whether the usage is an estimate of this installation, because the server sent no usage. */
  estimated: boolean;
}

/** Reads the usage that a server states. @returns undefined for other values */
export function parseUsage(value: unknown): ModelUsage | undefined {
  const usage = Usage.safeParse(value).data;
  return usage && { ...usage, total_tokens: usage.total_tokens ?? usage.prompt_tokens + usage.completion_tokens };
}

async function estimateUsage(messages: readonly ModelMessage[], choice: z.output<typeof Choice>): Promise<ModelUsage> {
  const { content, tool_calls: toolCalls } = choice.message;
  const prompt = await countMessages(messages);
  const completion = await countTokens((content ?? '') + (toolCalls?.length ? JSON.stringify(toolCalls) : ''));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/**
 * Parses an upstream's completion. Missing usage is estimated from the request's messages and from the completion.
 *
 * @throws NotACompletion for any other answer
 */
export async function parseCompletion(body: unknown, messages: readonly ModelMessage[]): Promise<Completion> {
  const parsed = UpstreamCompletion.safeParse(body);
  if (!parsed.success) throw new NotACompletion(parsed.error.issues[0]?.path.join('.') || 'no JSON object');
  const { usage, choices, ...rest } = parsed.data;
  const stated = parseUsage(usage);
  const counted = stated ?? (await estimateUsage(messages, choices[0]));
  return { body: { ...rest, object: 'chat.completion', choices, usage: counted }, estimated: !stated };
}

export function costOf(prices: ModelPrices | undefined, usage: ModelUsage): number | null {
  if (!prices) return null;
  return (usage.prompt_tokens * prices.input + usage.completion_tokens * prices.output) / 1_000_000;
}

/**
 * Estimates the usage of a cut-off answer: the server's last count, or the tokens of the input and of the received output. Most servers
 * send their count only at the end.
 */
export async function useOfCut(
  definition: Pick<ModelDefinition, 'name' | 'prices'>,
  messages: readonly ModelMessage[],
  { written, usage }: Pick<Received, 'written' | 'usage'>,
): Promise<ModelUse> {
  const [prompt, completion] = usage ? [0, 0] : [await countMessages(messages), await countTokens(written)];
  const used = usage ?? { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return { model: definition.name, usage: used, costUsd: costOf(definition.prices, used), estimated: true };
}

/** Converts a model's completion to this library's answer. */
export function toAnswer(
  definition: Pick<ModelDefinition, 'name' | 'prices'>,
  { body: completion, estimated }: Completion,
): ModelAnswer {
  const [{ message, finish_reason: finishReason }] = completion.choices;
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }): ModelToolCall => ({
    id,
    name,
    arguments: args,
  }));
  return {
    text: message.content ?? '',
    toolCalls,
    finishReason: finishReason ?? 'stop',
    refusal: message.refusal ?? null,
    model: definition.name,
    usage: completion.usage,
    costUsd: costOf(definition.prices, completion.usage),
    estimated,
    completion,
  };
}
