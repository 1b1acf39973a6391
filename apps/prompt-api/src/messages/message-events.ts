import type { Emit } from '@millwright/http';
import type { ChatEvents } from '../chat/chat-events.js';
import type { AnswerMessage } from './messages.contract.js';
import { messageId } from './to-chat.js';

/** Sends a message in the event order of Anthropic's Messages API. */
export function messageEvents(emit: Emit): ChatEvents {
  let begun: { id: string; model: string; live: boolean } | undefined;
  let isStarted = false;
  let isTextOpen = false;

  const send = (type: string, fields: object = {}) => void emit({ event: type, data: { type, ...fields } });

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    const { id = '', model = '' } = begun ?? {};
    const empty = { content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 0, output_tokens: 0 } };
    send('message_start', { message: { ...{ id, type: 'message', role: 'assistant', model }, ...empty } });
  }

  function startText(): void {
    if (isTextOpen) return;
    isTextOpen = true;
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  }

  const textDelta = (text: string) => send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });

  return {
    begin({ id, model }, live) {
      begun = { id: messageId(id), model, live };
    },
    text(part) {
      if (!begun?.live) return;
      start();
      startText();
      textDelta(part);
    },
    // Nothing has to be discarded: an answer that can be repaired is sent only after its check.
    repair: () => undefined,
    end(answer) {
      const message = answer as AnswerMessage;
      begun ??= { id: message.id, model: message.model, live: false };
      start();
      message.content.forEach((block, index) => {
        if (block.type === 'text') {
          const isSent = isTextOpen;
          startText();
          if (!isSent && block.text !== '') textDelta(block.text);
        } else {
          send('content_block_start', { index, content_block: { ...block, input: {} } });
          const partial_json = JSON.stringify(block.input);
          send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
        }
        send('content_block_stop', { index });
      });
      const { stop_reason, stop_sequence, usage } = message;
      send('message_delta', { delta: { stop_reason, stop_sequence }, usage });
      send('message_stop');
    },
    fail: (failure) => void emit({ event: 'error', data: failure }),
  };
}
