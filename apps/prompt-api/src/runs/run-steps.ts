import type { ModelAnswer, ModelRequest } from '@millwright/models';
import { runError, type EndedRun } from '@millwright/runs';

type Step = EndedRun['steps'][number];

/** Collects the calls of the model of one run. */
export function createSteps(defaultModel: string) {
  const all: Step[] = [];
  return {
    all: all as readonly Step[],

    begin({ model = defaultModel, messages, temperature, maxTokens, output }: ModelRequest, stream: boolean) {
      const parameters = { stream, temperature, max_tokens: maxTokens, output: output?.name };
      const begun: Omit<Step, 'endedAt'> = { model, startedAt: new Date(), parameters, added: messages };
      const end = (rest: Partial<Step>) => void all.push({ ...begun, ...rest, endedAt: new Date() });
      return {
        streaming: (onText: (delta: string, model: string) => void) => (delta: string, by: string) => {
          begun.firstTokenAt ??= new Date();
          onText(delta, by);
        },
        answered({ text, refusal, model: by, usage, costUsd }: ModelAnswer) {
          const used = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens, costUsd };
          end({ model: by, usage: used, answer: { text: refusal || text, calls: [], untrusted: false } });
        },
        failed: (error: unknown) => {
          end({ error: runError(error) });
        },
      };
    },
  };
}
export type Steps = ReturnType<typeof createSteps>;
