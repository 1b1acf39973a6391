import type { Principal } from '@millwright/auth';
import { AppError, type FieldFault } from '@millwright/errors';
import { countTokens } from '@millwright/models';
import { schemaKey } from '@millwright/schemas';
import type { PromptService } from '../prompts/prompts.service.js';
import type { RenderService } from '../runs/render.service.js';
import type { Draft, DraftResult } from './drafts.contract.js';

const UNRENDERED = {
  static: '',
  state: '',
  dynamic: '',
  tokens: [],
  warnings: [],
  sources: [],
  findings: [],
  references: [],
};

/** Checks unsaved prompts: returns the rendered text together with the faults for which saving or rendering would be refused. */
export function createDraftService(
  prompts: Pick<PromptService, 'schemaOf'>,
  renderer: Pick<RenderService, 'requireFit' | 'renderDraft'>,
) {
  return {
    /** @throws AppError unavailable. */
    async check(principal: Principal, draft: Draft): Promise<DraftResult> {
      const faults: FieldFault[] = [];
      const schemaOf = (kind: 'input' | 'output') =>
        prompts.schemaOf(principal.project, kind, draft[kind]).catch(noting(faults, undefined));
      const [input, output] = [await schemaOf('input'), await schemaOf('output')];
      if (input) {
        await renderer
          .requireFit(principal, schemaKey(input), input, draft.structured_data)
          .catch(noting(faults, undefined));
      }
      const rendered = await renderer
        .renderDraft(principal, draft.instruction, input ?? {}, draft)
        .catch(noting(faults, UNRENDERED));
      const { static: fixed, state, dynamic, tokens, warnings, sources } = rendered;
      return {
        success: faults.length === 0,
        // While the input schema is invalid, its properties and the sources of tokens are unknown.
        data: {
          static: fixed,
          state,
          dynamic,
          output_schema: output ?? {},
          parsed_tokens: tokens,
          token_counts: {
            static: await countTokens(fixed),
            state: await countTokens(state),
            dynamic: await countTokens(dynamic),
          },
          tokens: input ? sources : [],
        },
        warnings,
        faults,
        findings: input ? rendered.findings : [],
      };
    },
  };
}
export type DraftService = ReturnType<typeof createDraftService>;

/** Makes an error handler that adds the faults of invalid fields to `faults` and returns `otherwise`. Other errors are thrown again. */
function noting<Otherwise>(faults: FieldFault[], otherwise: Otherwise): (error: unknown) => Otherwise {
  return (error) => {
    if (!(error instanceof AppError) || error.code !== 'validation_error') throw error;
    faults.push(...error.fields);
    return otherwise;
  };
}
