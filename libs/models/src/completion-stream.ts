import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { NotACompletion, parseUsage } from './completion.js';
import type { Received } from './received.js';

type ToolCallDelta = NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number];

/**
 * The output of the model in a chunk. It includes the names and arguments of tool calls, because they are tokens too.
 */
const writtenIn = (delta: Partial<ChatCompletionChunk.Choice.Delta> | undefined) =>
  [
    delta?.content,
    delta?.refusal,
    ...(delta?.tool_calls ?? []).flatMap(({ function: part }) => [part?.name, part?.arguments]),
  ].join('');

/** Assembles the chunks of a streamed answer, and records the received parts in `received`. */
export function createChunkCollector(received: Received) {
  let head: ChatCompletionChunk | undefined;
  let content = '';
  let refusal = '';
  let finishReason: string | null = null;
  let usage: ChatCompletionChunk['usage'];
  /** Tool calls by index. They are in a map, because the server chooses the indexes: an array would be as long as the largest index. */
  const toolCalls = new Map<number, { id: string; type: 'function'; function: { name: string; arguments: string } }>();

  function addToolCall({ index, id, function: part }: Partial<ToolCallDelta>): void {
    // Some servers send each tool call in one piece and without an index.
    const place = index ?? toolCalls.size;
    const call = toolCalls.get(place) ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
    toolCalls.set(place, call);
    call.id ||= id ?? '';
    call.function.name ||= part?.name ?? '';
    call.function.arguments += part?.arguments ?? '';
  }

  return {
    /** The chunk's text; '' when the chunk has no text. */
    add(chunk: ChatCompletionChunk): string {
      received.chunks += 1;
      head ??= chunk;
      usage = chunk.usage ?? usage;
      received.usage = parseUsage(usage);
      const choice = (chunk.choices as ChatCompletionChunk['choices'] | undefined)?.[0];
      if (!choice) return '';
      finishReason = choice.finish_reason ?? finishReason;
      const delta = choice.delta as Partial<ChatCompletionChunk.Choice.Delta> | undefined;
      refusal += delta?.refusal ?? '';
      delta?.tool_calls?.forEach(addToolCall);
      const text = delta?.content ?? '';
      content += text;
      received.written += writtenIn(delta);
      return text;
    },

    /** The completion that the server would have sent without streaming. @throws NotACompletion when the stream was cut off. */
    whole(): object {
      if (!head || finishReason === null) throw new NotACompletion('the stream ended before the answer did');
      const calls = [...toolCalls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
      const message = {
        role: 'assistant',
        content: calls.length && !content ? null : content,
        refusal: refusal || null,
        ...(calls.length ? { tool_calls: calls } : {}),
      };
      return {
        ...head,
        choices: [{ index: 0, message, finish_reason: finishReason }],
        usage,
      };
    },
  };
}
