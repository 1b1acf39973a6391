import {
  answerShare,
  countMessages,
  countTokens,
  type CallBounds,
  type ModelPrices,
  type ModelRequest,
  type ModelUse,
} from '@millwright/models';

/** Margin of the counted input: tokenizers differ by model, and servers add tokens of their own. */
const INPUT_MARGIN = 1.1;
const MORE_INPUT = 64;

/** The maximum usage of a call. */
export interface WorstCase {
  inputTokens: number;
  outputTokens: number;
}

/** The text of a request that the model reads besides roles and contents. */
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

/** The maximum usage of a call: its counted input with a margin, and the longest answer that it allows. */
export async function worstCaseOf(request: ModelRequest, bounds: CallBounds): Promise<WorstCase> {
  const counted = (await countMessages(request.messages)) + (await countTokens(furtherText(request)));
  const { contextWindow, defaultMaxTokens, maxOutput = answerShare(contextWindow) } = bounds;
  return {
    inputTokens: Math.ceil(counted * INPUT_MARGIN) + MORE_INPUT,
    outputTokens: Math.min(request.maxTokens ?? defaultMaxTokens ?? maxOutput, contextWindow),
  };
}

/** The cost in millionths of a US dollar, rounded up. US dollars per million tokens equal millionths per token. */
export function costInMicros({ input, output }: ModelPrices, inputTokens: number, outputTokens: number): number {
  // Prices have at most six decimals; further digits are floating-point errors.
  return Math.ceil(Number((inputTokens * input + outputTokens * output).toFixed(6)));
}

/** The highest cost among the models that may answer; undefined when one of them has no price. */
export function costAtMost(
  prices: readonly (ModelPrices | undefined)[],
  { inputTokens, outputTokens }: WorstCase,
): number | undefined {
  const costs = prices.map((price) => price && costInMicros(price, inputTokens, outputTokens));
  return costs.every((cost) => cost !== undefined) ? Math.max(...costs) : undefined;
}

export const tokensOf = ({ usage }: Pick<ModelUse, 'usage'>): number => usage.prompt_tokens + usage.completion_tokens;
