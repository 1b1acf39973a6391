import {
  answerShare,
  countMessages,
  countTokens,
  type CallBounds,
  type ModelPrices,
  type ModelRequest,
  type ModelUse,
} from '@millwright/models';

/** Models count with vocabularies of their own, and their servers add words of their own. */
const INPUT_MARGIN = 1.1;
const MORE_INPUT = 64;

/** What a call may use at most. */
export interface WorstCase {
  inputTokens: number;
  outputTokens: number;
}

/** Whatever of a request the model reads besides roles and contents. */
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

/** What this call may use at most: its counted input with a margin, and the longest answer that it allows. */
export async function worstCaseOf(request: ModelRequest, bounds: CallBounds): Promise<WorstCase> {
  const counted = (await countMessages(request.messages)) + (await countTokens(furtherText(request)));
  const { contextWindow, maxOutput = answerShare(contextWindow) } = bounds;
  return {
    inputTokens: Math.ceil(counted * INPUT_MARGIN) + MORE_INPUT,
    outputTokens: Math.min(request.maxTokens ?? maxOutput, contextWindow),
  };
}

/** Millionths of a US dollar, rounded up: a price for a million tokens is that of one token in them. */
export function costInMicros({ input, output }: ModelPrices, inputTokens: number, outputTokens: number): number {
  // Six decimals are as exact as prices are: the rest are faults of floating point.
  return Math.ceil(Number((inputTokens * input + outputTokens * output).toFixed(6)));
}

/** The most that the models which may answer cost; undefined when one of them has no price. */
export function costAtMost(
  prices: readonly (ModelPrices | undefined)[],
  { inputTokens, outputTokens }: WorstCase,
): number | undefined {
  const costs = prices.map((price) => price && costInMicros(price, inputTokens, outputTokens));
  return costs.every((cost) => cost !== undefined) ? Math.max(...costs) : undefined;
}

export const tokensOf = ({ usage }: Pick<ModelUse, 'usage'>): number => usage.prompt_tokens + usage.completion_tokens;
