import { chatAnswer, embeddingsAnswer, modelSpan, startSpan, type ModelOperation } from '@millwright/telemetry';
import type { CallOutcome } from './failures.js';
import type { EmbeddingUsage, ModelAnswer, ModelDefinition } from './model.js';

/** The span of one try at a model: model, tokens and outcome, without content. */
export function startModelSpan({ name, upstreamName, endpoint }: ModelDefinition, operation: ModelOperation) {
  const target = endpoint === null ? undefined : new URL(endpoint);
  const named = modelSpan(operation, name, upstreamName ?? name, target);
  const span = startSpan(named.name, named.options);
  return {
    run: span.run,
    answered: ({ completion, finishReason, usage }: ModelAnswer) =>
      span.set(chatAnswer(completion.model, finishReason, usage.prompt_tokens, usage.completion_tokens)),
    embedded: ({ prompt_tokens: tokens }: EmbeddingUsage) => span.set(embeddingsAnswer(tokens)),
    end(outcome: CallOutcome) {
      if (outcome === 'answered') span.end();
      else span.fail(outcome);
    },
  };
}
