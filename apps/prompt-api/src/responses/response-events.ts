import type { Emit, EventWriter } from '@millwright/http';
import type { RunProgress } from '../runs/run.service.js';
import { asBegun } from './response-object.js';
import type { OutputItem, OutputMessage, ResponseObject } from './responses.contract.js';

export interface ResponseEvents extends EventWriter, RunProgress {
  /** Begins a response. With `live`, text is sent as it arrives from the model. Without it, the whole text is sent after the answer was checked. */
  begin: (draft: ResponseObject, messageId: string, live: boolean) => void;
  /** Sends the first events of a response that is stored already. */
  created: () => void;
}

type Part = OutputMessage['content'][number];

/**
 * Sends a response in the event order of OpenAI's Responses API: each item is completed before the last event, and the output in the last
 * event equals these items.
 */
export function responseEvents(emit: Emit, request: Readonly<Record<string, unknown>>): ResponseEvents {
  let sequence = 0;
  /** Number of the last event that the client has received. */
  const had = typeof request['starting_after'] === 'string' ? Number(request['starting_after']) : -1;
  let begun: { draft: ResponseObject; messageId: string; live: boolean } | undefined;
  let startedResponse = false;
  /** The content part that is being sent. */
  let open: { index: number; type: Part['type'] } | undefined;
  /** Index of the message in the output. The calls of tools come before the message. */
  let messageIndex = 0;

  const tell = (type: string, fields: object) => {
    const sequence_number = sequence++;
    if (sequence_number > had) emit({ event: type, data: { type, sequence_number, ...fields } });
  };

  function start(draft: ResponseObject): void {
    if (startedResponse) return;
    startedResponse = true;
    tell('response.created', { response: draft });
    tell('response.in_progress', { response: draft });
  }

  function startItem(id: string, output_index: number): void {
    tell('response.output_item.added', {
      output_index,
      item: { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] },
    });
  }

  const place = (id: string, index: number) => ({ item_id: id, output_index: messageIndex, content_index: index });

  function startPart(id: string, index: number, type: Part['type']): void {
    open = { index, type };
    const part = type === 'refusal' ? { type, refusal: '' } : { type, text: '', annotations: [] };
    tell('response.content_part.added', { ...place(id, index), part });
  }

  function delta(id: string, index: number, type: Part['type'], text: string): void {
    if (type === 'refusal') tell('response.refusal.delta', { ...place(id, index), delta: text });
    else tell('response.output_text.delta', { ...place(id, index), delta: text, logprobs: [] });
  }

  function wholePart(id: string, index: number, part: Part): void {
    const text = part.type === 'refusal' ? part.refusal : part.text;
    if (open?.index !== index) {
      startPart(id, index, part.type);
      if (text !== '') delta(id, index, part.type, text);
    }
    if (part.type === 'refusal') tell('response.refusal.done', { ...place(id, index), refusal: text });
    else tell('response.output_text.done', { ...place(id, index), text, logprobs: [] });
    tell('response.content_part.done', { ...place(id, index), part });
  }

  function wholeCall(item: Extract<OutputItem, { type: 'function_call' }>, output_index: number): void {
    const at = { item_id: item.id, output_index };
    tell('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } });
    tell('response.function_call_arguments.delta', { ...at, delta: item.arguments });
    tell('response.function_call_arguments.done', { ...at, name: item.name, arguments: item.arguments });
    tell('response.output_item.done', { output_index, item });
  }

  function wholeServerCall(item: Extract<OutputItem, { type: 'mcp_call' }>, output_index: number): void {
    const at = { item_id: item.id, output_index };
    const begun = { ...item, status: 'in_progress', arguments: '', output: null, error: null };
    tell('response.output_item.added', { output_index, item: begun });
    tell('response.mcp_call.in_progress', at);
    tell('response.mcp_call_arguments.delta', { ...at, delta: item.arguments });
    tell('response.mcp_call_arguments.done', { ...at, arguments: item.arguments });
    tell(item.status === 'failed' ? 'response.mcp_call.failed' : 'response.mcp_call.completed', at);
    tell('response.output_item.done', { output_index, item });
  }

  function wholeRequest(item: Extract<OutputItem, { type: 'mcp_approval_request' }>, output_index: number): void {
    tell('response.output_item.added', { output_index, item });
    tell('response.output_item.done', { output_index, item });
  }

  return {
    begin(draft, messageId, live) {
      begun = { draft, messageId, live };
    },
    created() {
      if (begun) start(begun.draft);
    },
    text(part) {
      if (!begun?.live) return;
      if (!open) {
        start(begun.draft);
        startItem(begun.messageId, messageIndex);
        startPart(begun.messageId, 0, 'output_text');
      }
      delta(begun.messageId, 0, 'output_text', part);
    },
    // Nothing has to be discarded: an answer that can be repaired is sent only after its check.
    repair: () => undefined,
    end(body) {
      const response = body as ResponseObject;
      start(begun?.draft ?? asBegun(response));
      response.output.forEach((item, index) => {
        if (item.type === 'function_call') return wholeCall(item, index);
        if (item.type === 'mcp_call') return wholeServerCall(item, index);
        if (item.type === 'mcp_approval_request') return wholeRequest(item, index);
        messageIndex = index;
        if (!open) startItem(item.id, index);
        item.content.forEach((part, place) => wholePart(item.id, place, part));
        tell('response.output_item.done', { output_index: index, item });
      });
      // OpenAI's clients have no event for a canceled response.
      tell(`response.${response.status === 'cancelled' ? 'incomplete' : response.status}`, { response });
    },
    fail(body) {
      const { code, message, param } = (body as { error: { code: string; message: string; param: string | null } })
        .error;
      tell('error', { code, message, param });
    },
  };
}
