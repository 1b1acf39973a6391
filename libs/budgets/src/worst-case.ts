import {
  answerShare,
  tokensAtMost,
  type CallBounds,
  type ModelPrices,
  type ModelRequest,
  type ModelUse,
} from '@millwright/models';

/**
 * Maximum number of tokens that a server adds for each message or tool, and for its own instructions. Requests with
 * tools or a schema have longer instructions.
 */
const FRAME = 16;
const OWN_TEXT = 64;
const OWN_TEXT_OF_TOOLS = 1_024;

/** The maximum usage of a call. */
export interface WorstCase {
  inputTokens: number;
  outputTokens: number;
}

/** Returns the text of a request that the model reads in addition to roles and contents. */
function furtherText({ messages, tools = [], output }: ModelRequest): string {
  const calls = messages.flatMap(({ tool_calls: made, tool_call_id: id, name }) => [
    ...(made ? [JSON.stringify(made)] : []),
    ...(id === undefined ? [] : [id]),
    ...(name === undefined ? [] : [name]),
  ]);
  return [
    ...calls,
    ...(tools.length > 0 ? [JSON.stringify(tools)] : []),
    ...(output ? [JSON.stringify(output)] : []),
  ].join('\n');
}

/**
 * Returns the most tokens that any server can count for a request. No tokenizer makes more tokens of a text than the
 * text has bytes, and no model reads more than its context window. The count of one tokenizer, even with a margin, is
 * not an upper bound for other tokenizers.
 */
function inputAtMost(request: ModelRequest, { largestWindow }: CallBounds): number {
  const { messages, tools = [], output } = request;
  const bytes = Buffer.byteLength(furtherText(request));
  const frames = FRAME * (messages.length + tools.length + 1);
  const own = tools.length > 0 || output ? OWN_TEXT_OF_TOOLS : OWN_TEXT;
  return Math.min(tokensAtMost(messages) + bytes + frames + own, largestWindow);
}

/** Returns the maximum usage of a call: the most input tokens that its text can have, and the longest answer that it allows. */
export function worstCaseOf(request: ModelRequest, bounds: CallBounds): WorstCase {
  const { contextWindow, defaultMaxTokens, maxOutput = answerShare(contextWindow) } = bounds;
  return {
    inputTokens: inputAtMost(request, bounds),
    outputTokens: Math.min(request.maxTokens ?? defaultMaxTokens ?? maxOutput, contextWindow),
  };
}

/**
 * Returns the cost in millionths of a US dollar, rounded up. A price of one US dollar per million tokens is one
 * millionth of a dollar per token.
 */
export function costInMicros({ input, output }: ModelPrices, inputTokens: number, outputTokens: number): number {
  // Prices have at most six decimals. Further digits come from floating-point errors.
  return Math.ceil(Number((inputTokens * input + outputTokens * output).toFixed(6)));
}

/** Returns the highest cost among the models that may answer; undefined when one of them has no price. */
export function costAtMost(
  prices: readonly (ModelPrices | undefined)[],
  { inputTokens, outputTokens }: WorstCase,
): number | undefined {
  const costs = prices.map((price) => price && costInMicros(price, inputTokens, outputTokens));
  return costs.every((cost) => cost !== undefined) ? Math.max(...costs) : undefined;
}

export const tokensOf = ({ usage }: Pick<ModelUse, 'usage'>): number => usage.prompt_tokens + usage.completion_tokens;
