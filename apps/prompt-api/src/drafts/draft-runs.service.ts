import type { Caller, Project } from '@millwright/auth';
import { invalidField } from '@millwright/errors';
import type { ProjectModels } from '@millwright/models';
import { schemaKey } from '@millwright/schemas';
import type { RequireReadableBlocks } from '../prompts/require-readable-blocks.js';
import type { OpenGuards } from '../guards/prompt-guards.js';
import type { PromptService } from '../prompts/prompts.service.js';
import type { DefinitionKind, PromptStore, StoredPrompt } from '../prompts/prompts.store.js';
import type { Reader } from '../references/references.store.js';
import { modelSubject, promptSubject } from '../runs/prompt-runs.js';
import type { RunOutcome, RunProgress, RunService } from '../runs/run.service.js';
import { runDraft, type DraftRun } from './draft-runs.contract.js';

export interface DraftRunsDeps {
  models: ProjectModels;
  prompts: Pick<PromptStore, 'find'>;
  service: Pick<PromptService, 'schemaOf'>;
  runner: RunService;
  openGuards: OpenGuards;
  requireReadableBlocks: RequireReadableBlocks;
}

interface DraftCall {
  caller: Caller;
  principal: Reader;
  body: DraftRun;
  idempotencyKey: string | undefined;
  progress: RunProgress | undefined;
}

/** Runs unsaved prompts like saved ones: with guards, budgets and a stored run. */
export function createDraftRuns(deps: DraftRunsDeps) {
  const { models, prompts, service, runner, openGuards, requireReadableBlocks } = deps;

  /** Returns the draft in the form of a stored prompt. @throws AppError validation_error for an invalid schema or reference */
  async function toPrompt(project: Project, draft: DraftRun): Promise<StoredPrompt> {
    const { instruction, model_parameters } = draft;
    const definition = async (kind: DefinitionKind) => {
      const resolved_schema = await service.schemaOf(project, kind, draft[kind]);
      return { ...draft[kind], ...{ id: '', name: '', description: '', type: 'structured_data' }, resolved_schema };
    };
    const [input, output] = [await definition('input'), await definition('output')];
    const metadata = { title: '', description: '', tag: [], log_message: '', status: 'draft' as const };
    const now = new Date();
    // Compiled schemas are cached by the prompt's id, so drafts with equal schemas get the same id.
    const id = `draft ${schemaKey([input.resolved_schema, output.resolved_schema])}`;
    return {
      ...{ id, version: 0, author: '', created_at: now, updated_at: now },
      ...{ instruction, input, output, model_parameters, metadata },
    };
  }

  return {
    /** Runs a draft. @throws AppError validation_error for an invalid draft or input; forbidden, guard_blocked, budget_exceeded, unavailable. */
    async run({ caller, principal, body, idempotencyKey, progress }: DraftCall): Promise<RunOutcome> {
      const saved = body.prompt === undefined ? undefined : await prompts.find(caller.project, body.prompt);
      if (body.prompt !== undefined && !saved) throw invalidField('prompt', 'does not exist');
      const model = body.model ?? (await models.of(caller.project)).defaultModel;
      const resource = saved?.id ?? model;
      await requireReadableBlocks(caller, { action: runDraft.operationId, resource }, body.instruction);
      const prompt = await toPrompt(caller.project, body);
      const subject = saved ? { ...promptSubject(saved), version: null } : modelSubject(model);
      return runner.run(principal, prompt, {
        ...{ caller, subject, model, idempotencyKey, progress, input: body, history: body.history },
        guards: await openGuards(caller, resource),
        channel: 'draft',
      });
    },
  };
}
export type DraftRuns = ReturnType<typeof createDraftRuns>;
