import { endpoint } from '@millwright/http';
import { ModelParameters } from '@millwright/models/parameters';
import { z } from 'zod';
import { RunEvent, RunInput, RunResult } from '../runs/runs.contract.js';
import { Draft } from './drafts.contract.js';

const Turn = z.object({ role: z.enum(['user', 'assistant']), content: z.string().max(1_000_000) });

/** A prompt that is not saved, and the input of its run. */
export const DraftRun = Draft.extend({
  model_parameters: ModelParameters.default({}),
  /** Id of the prompt that the draft changes. */
  prompt: z.uuid().optional(),
  /** Messages of the conversation so far, oldest first. They are not stored. */
  history: z.array(Turn).max(100).default([]),
  model: RunInput.shape.model,
  stream: RunInput.shape.stream,
});
export type DraftRun = z.output<typeof DraftRun>;

export const DraftRunResult = RunResult.omit({ data: true }).extend({
  /** Id of the run, which is the only stored record. */
  run: z.string(),
  data: z.object({ content: z.string(), structured_data: RunResult.shape.data.shape.structured_data }),
});
export type DraftRunResult = z.output<typeof DraftRunResult>;

export const runDraft = endpoint({
  operationId: 'runDraft',
  method: 'POST',
  path: '/v1/run',
  summary: 'Run an unsaved prompt against a language model',
  tag: 'Runs',
  access: { scope: 'prompts:run' },
  limit: 'credential',
  body: DraftRun,
  long: true,
  success: { status: 200, description: "The model's answer; only the run is stored", body: DraftRunResult },
  events: {
    description: [
      'With `stream: true`: `chunk` for each part of the answer; `repair` when the answer did not fit the output schema and the',
      'model is asked once more; at the end `result`, or `error` for a failure after the first event.',
    ].join(' '),
    body: z.union([...RunEvent.options, DraftRunResult]),
  },
  errors: ['budget_exceeded', 'guard_blocked'],
});
