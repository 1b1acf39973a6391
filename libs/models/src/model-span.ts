import { chatAnswer, chatSpan, startSpan } from '@millwright/telemetry';
import type { CallOutcome } from './failures.js';
import type { ModelAnswer, ModelDefinition } from './model.js';

/** The span of one try at a model: model, tokens and outcome, without content. */
export function startModelSpan({ name, upstreamName, endpoint }: ModelDefinition) {
  const chat = chatSpan(name, upstreamName ?? name, endpoint === null ? undefined : new URL(endpoint));
  const span = startSpan(chat.name, chat.options);
  return {
    run: span.run,
    answered: ({ completion, finishReason, usage }: ModelAnswer) =>
      span.set(chatAnswer(completion.model, finishReason, usage.prompt_tokens, usage.completion_tokens)),
    end(outcome: CallOutcome) {
      if (outcome === 'answered') span.end();
      else span.fail(outcome);
    },
  };
}
