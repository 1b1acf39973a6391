import { createHash } from 'node:crypto';
import { parseCompletion, type Completion } from '../completion.js';
import type { ModelMessage, ModelRequest } from '../model.js';
import type { Upstream } from '../upstream.js';
import { createInstance } from './instance.js';

const rememberedSchemas = 100;

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

function reply(messages: readonly ModelMessage[]): string {
  const instructions = messages.filter(({ role }) => role === 'system').length;
  const conversation = messages.filter(({ role }) => role !== 'system');
  const lastUser = conversation.findLast(({ role }) => role === 'user');
  const earlier = conversation.length - (lastUser ? 1 : 0);
  return [
    'The offline model is answering, because no model is configured on this installation.',
    lastUser ? `You wrote: "${lastUser.content}"` : 'There was no message from you.',
    `I was given ${count(instructions, 'instruction')} and ${count(earlier, 'earlier message')}.`,
  ].join(' ');
}

/** An id that is equal for equal requests. */
function idOf({ messages, output }: ModelRequest): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([messages, output]))
    .digest('base64url');
  return `chatcmpl-offline-${digest.slice(0, 24)}`;
}

function completionOf(request: ModelRequest, content: string): Promise<Completion> {
  const message = { role: 'assistant', content, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  return parseCompletion(
    { id: idOf(request), created: 0, model: 'offline', system_fingerprint: 'offline', choices },
    request.messages,
  );
}

/**
 * The model of an installation without one, for trying the platform: its answer is a pure function of the request, names the
 * offline model, and is a valid instance of the output schema when there is one. It calls no tools.
 */
export function createOfflineUpstream(): Upstream {
  const instances = new Map<string, string>();

  function instanceOf(schema: object): string {
    const key = JSON.stringify(schema);
    const known = instances.get(key) ?? JSON.stringify(createInstance(schema));
    if (instances.size >= rememberedSchemas) instances.clear();
    instances.set(key, known);
    return known;
  }

  const answer = (request: ModelRequest) =>
    completionOf(request, request.output ? instanceOf(request.output.schema) : reply(request.messages));

  return {
    complete: answer,
    async *stream(request, signal) {
      const completion = await answer(request);
      for (const word of completion.body.choices[0].message.content?.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
        signal.throwIfAborted();
        yield word;
      }
      return completion;
    },
  };
}
