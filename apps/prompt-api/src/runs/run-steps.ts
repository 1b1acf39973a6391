import { namedParameters, type ModelAnswer, type ModelRequest } from '@millwright/models';
import { runError, type ModelStep } from '@millwright/runs';

/** Maximum length of the messages that a step stores, in characters of JSON. */
const MESSAGES_LENGTH = 256 * 1024;

/** Removes the images from each message, and appends their number to its text. */
const withoutImages = (messages: ModelRequest['messages']) =>
  messages.map(({ images = [], ...message }) =>
    images.length === 0 ? message : { ...message, content: `${message.content}\n[images: ${images.length}]`.trim() },
  );

/**
 * Returns the messages that the step stores; `undefined` when they are too long. Such messages are still in the conversation or in the client's
 * request.
 */
function keptMessages(messages: ModelRequest['messages']) {
  const kept = withoutImages(messages);
  return JSON.stringify(kept).length <= MESSAGES_LENGTH ? kept : undefined;
}

/** Starts the step of a model call; the step is complete once the call has ended. */
export function beginStep(request: ModelRequest, defaultModel: string, stream: boolean) {
  const { model = defaultModel, messages, output, tools = [], toolChoice } = request;
  const parameters = {
    ...{ stream, ...namedParameters(request), output: output?.name },
    ...(tools.length > 0 && { tools: tools.map(({ name }) => name), tool_choice: toolChoice }),
  };
  const begun: ModelStep = { model, startedAt: new Date(), parameters, added: keptMessages(messages) };
  return {
    streaming: (onText: (delta: string, model: string) => void) => (delta: string, by: string) => {
      begun.firstTokenAt ??= new Date();
      onText(delta, by);
    },
    answered({ text, refusal, toolCalls, model: by, usage, costUsd }: ModelAnswer): ModelStep {
      const used = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens, costUsd };
      return {
        ...begun,
        model: by,
        usage: used,
        answer: { text: refusal || text, calls: toolCalls, untrusted: false },
      };
    },
    failed: (error: unknown): ModelStep => ({ ...begun, error: runError(error) }),
  };
}
