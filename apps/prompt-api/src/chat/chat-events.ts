import type { Emit, EventWriter } from '@millwright/http';
import { isJsonObject } from '@millwright/json';
import type { RunProgress } from '../runs/run.service.js';
import type { ChatCompletion } from './chat.contract.js';

export interface ChatEvents extends EventWriter, RunProgress {
  /** Begins a completion. With `live`, text is sent as it arrives from the model. Without it, the whole text is sent after the answer was checked. */
  begin: (head: Pick<ChatCompletion, 'id' | 'created' | 'model'>, live: boolean) => void;
}

/** Sends a completion as chunks in the order of OpenAI's chat completions: role, content, calls, finish reason, usage, `[DONE]`. */
export function chatEvents(emit: Emit, body: Readonly<Record<string, unknown>>): ChatEvents {
  const { stream_options: options } = body;
  const wantsUsage = isJsonObject(options) && options['include_usage'] === true;
  let begun: { head: Pick<ChatCompletion, 'id' | 'created' | 'model'>; live: boolean } | undefined;
  let isStarted = false;
  let hasText = false;

  const chunk = (choices: readonly object[], fields: object = {}) => {
    const { id, created, model } = begun?.head ?? { id: '', created: 0, model: '' };
    const usage = wantsUsage ? { usage: null } : {};
    emit({ data: { id, object: 'chat.completion.chunk', created, model, choices, ...usage, ...fields } });
  };
  const delta = (part: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta: part, logprobs: null, finish_reason }]);
  function start(): void {
    if (!isStarted) delta({ role: 'assistant', content: '', refusal: null });
    isStarted = true;
  }

  return {
    begin(head, live) {
      begun = { head, live };
    },
    text(content) {
      if (!begun?.live) return;
      start();
      hasText = true;
      delta({ content });
    },
    // Nothing has to be discarded: an answer that can be repaired is sent only after its check.
    repair: () => undefined,
    end(answer) {
      const completion = answer as ChatCompletion;
      begun ??= { head: completion, live: false };
      start();
      const { message, finish_reason: reason } = completion.choices[0] ?? {};
      if (message?.content && !hasText) delta({ content: message.content });
      if (message?.refusal) delta({ refusal: message.refusal });
      message?.tool_calls?.forEach((call, index) => delta({ tool_calls: [{ index, ...call }] }));
      delta({}, reason);
      if (wantsUsage) chunk([], { usage: completion.usage });
      emit({ text: '[DONE]' });
    },
    fail: (failure) => void emit({ data: failure }),
  };
}
