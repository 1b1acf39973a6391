import type { ModelBehaviour, ModelRequestBody } from './answer.js';

const CREATED = 1_767_225_600;

/** The usage of an answer. Each word counts as one token, so that tests can predict the numbers. */
function usageOf({ messages }: ModelRequestBody, content: string) {
  const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
  const promptTokens = count(messages.map((message) => JSON.stringify(message.content)).join(' '));
  const completionTokens = count(content);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

function textOf({ content, toolCalls }: ModelBehaviour): string | null {
  return content !== undefined ? content : toolCalls ? null : 'Hello from the fake model.';
}

function finishReasonOf({ finishReason, toolCalls }: ModelBehaviour): string {
  return finishReason ?? (toolCalls ? 'tool_calls' : 'stop');
}

/** Builds the answer of `/v1/chat/completions`. */
export function completion(request: ModelRequestBody, behaviour: ModelBehaviour): object {
  const content = textOf(behaviour);
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: CREATED,
    model: request.model,
    system_fingerprint: 'fp_fake',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: behaviour.refusal ?? null, tool_calls: behaviour.toolCalls },
        logprobs: null,
        finish_reason: finishReasonOf(behaviour),
      },
    ],
    usage: usageOf(request, content ?? ''),
  };
}

/**
 * The chunks of the same answer as a stream: one chunk for each word, then the end, then the usage when the request
 * includes this option.
 */
export function completionChunks(request: ModelRequestBody, behaviour: ModelBehaviour): object[] {
  const content = textOf(behaviour) ?? '';
  const { refusal, toolCalls } = behaviour;
  const deltas: object[] = [{ role: 'assistant', content: '' }];
  for (const word of content.match(/\S+\s*/g) ?? []) deltas.push({ content: word });
  if (refusal) deltas.push({ refusal });
  toolCalls?.forEach((call, index) => deltas.push({ tool_calls: [{ index, ...call }] }));

  const chunk = (fields: object) => ({
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: request.model,
    ...fields,
  });
  const withUsage = request.stream_options?.include_usage === true;
  return [
    ...deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishReasonOf(behaviour) }] }),
    ...(withUsage ? [chunk({ choices: [], usage: usageOf(request, content) })] : []),
  ];
}
