import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { NewPrompt } from '../prompts/prompts.contract.js';
import { GenerateResult, RenderInput } from '../runs/runs.contract.js';

const Definition = NewPrompt.shape.input.pick({ schema: true, reference: true });

/** A prompt that is not saved, and the input of a run. */
export const Draft = z.object({
  instruction: NewPrompt.shape.instruction,
  input: Definition.prefault({}),
  output: Definition.prefault({}),
  message: RenderInput.shape.message,
  structured_data: RenderInput.shape.structured_data,
});
export type Draft = z.output<typeof Draft>;

const { data, warnings } = GenerateResult.shape;

export const DraftResult = z.object({
  /** Whether the draft can be saved and rendered unchanged. */
  success: z.boolean(),
  data: data.omit({ prompt: true }).extend({
    /** The source of each token; null for a token without a source. Empty while the input schema is invalid. */
    tokens: z.array(z.object({ name: z.string(), source: z.enum(['built_in', 'input', 'block']).nullable() })),
  }),
  warnings,
  /** Reasons why saving or rendering the draft would be refused. */
  faults: z.array(z.object({ field: z.string(), reason: z.string() })),
  /**
   * Places in the instructions where a malformed or unknown token is rendered unchanged, at most 50 for each part. Lines and columns count from 1.
   */
  findings: z.array(
    z.object({
      part: z.enum(['static', 'state', 'dynamic']),
      line: z.int(),
      column: z.int(),
      reason: z.string(),
    }),
  ),
});
export type DraftResult = z.output<typeof DraftResult>;

export const renderDraft = endpoint({
  operationId: 'renderDraft',
  method: 'POST',
  path: '/v1/render',
  summary: 'Render an unsaved prompt and report its faults',
  tag: 'Runs',
  access: { scope: 'prompts:read' },
  limit: 'credential',
  body: Draft,
  long: true,
  success: { status: 200, description: 'The rendered instructions, and what is wrong', body: DraftResult },
  errors: [],
});
