import { startSpan } from '@millwright/telemetry';
import type { CallOutcome } from './failures.js';
import type { ModelAnswer, ModelDefinition } from './model.js';

/**
 * The span of one try at a model, by OpenTelemetry's conventions for generative AI: model, tokens and outcome, never
 * content.
 */
export function startModelSpan({ name, upstreamName, endpoint }: ModelDefinition) {
  const target = endpoint === null ? undefined : new URL(endpoint);
  const span = startSpan(`chat ${name}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': target ? 'openai' : 'millwright.offline',
      'gen_ai.request.model': upstreamName ?? name,
      ...(target && { 'server.address': target.hostname, 'server.port': portOf(target) }),
    },
  });
  return {
    run: span.run,
    answered: ({ completion, finishReason, usage }: ModelAnswer) =>
      span.set({
        'gen_ai.response.model': completion.model,
        'gen_ai.response.finish_reasons': [finishReason],
        'gen_ai.usage.input_tokens': usage.prompt_tokens,
        'gen_ai.usage.output_tokens': usage.completion_tokens,
      }),
    end(outcome: CallOutcome) {
      if (outcome === 'answered') span.end();
      else span.fail(outcome);
    },
  };
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80));
