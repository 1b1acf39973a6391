import { recordDecision } from '@millwright/audit';
import { newId } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import type { ConversationStore, NewMessage } from '../conversations/conversations.store.js';
import { toPrompt } from '../prompts/prompts.store.js';
import { countTokensInTurns } from '../template/index.js';
import type { VersionChoice } from '../versions/choose-version.js';
import type { RenderService } from './render.service.js';
import { renderPrompt, runPrompt } from './runs.contract.js';
import type { RunService } from './run.service.js';

export interface RunRouteDeps {
  versions: VersionChoice;
  conversations: ConversationStore;
  renderer: RenderService;
  runner: RunService;
}

export function runRoutes({ versions, conversations, renderer, runner }: RunRouteDeps): Route[] {
  return [
    route(renderPrompt, async ({ caller, principal, params, query, body, commit, idempotencyKey }) => {
      const prompt = await versions.choose(caller.project, params.uuid, [body, query]);
      const rendered = await renderer.render(principal, prompt, body, []);
      const data = {
        static: rendered.static,
        dynamic: rendered.dynamic,
        state: rendered.state,
        output_schema: prompt.output.resolved_schema,
        parsed_tokens: rendered.tokens,
        token_counts: {
          static: await countTokensInTurns(rendered.static),
          dynamic: await countTokensInTurns(rendered.dynamic),
          state: await countTokensInTurns(rendered.state),
        },
        prompt: toPrompt(prompt),
      };
      const reply = { body: { success: true, data, warnings: rendered.warnings } };
      // Nothing changes, so only a repeatable answer needs a transaction.
      return idempotencyKey === undefined ? reply : commit(() => Promise.resolve(reply));
    }),

    route(runPrompt, async ({ caller, principal, params, query, body, commit, idempotencyKey }) => {
      const prompt = await versions.choose(caller.project, params.uuid, [body, query]);
      const outcome = await runner.run(prompt, principal, body, idempotencyKey);
      const { answer } = outcome;
      return commit(async (tx) => {
        const turns: NewMessage[] = [
          { role: 'user', content: outcome.userContent, model: answer.model, reference: outcome.references },
          { role: 'assistant', content: answer.refusal || answer.text, model: answer.model },
        ];
        const metadata = {
          title: prompt.metadata.title,
          description: '',
          tag: [],
          log_message: '',
          status: 'published' as const,
        };
        const { conversation, appended } = body.conversation
          ? await conversations.extend(tx, caller, body.conversation, turns)
          : await conversations.create(tx, caller, metadata, turns);
        const used = {
          id: newId(),
          project: caller.project,
          user_id: caller.actor.userId,
          kind: 'prompt_run',
          subject_id: prompt.id,
          subject_version: prompt.version,
          model: answer.model,
          prompt_tokens: answer.usage.prompt_tokens,
          completion_tokens: answer.usage.completion_tokens,
          cost_usd: answer.costUsd,
        };
        await tx.usageEvent.create({ data: used });
        const detail = { version: prompt.version, model: answer.model, conversation: conversation.id };
        await recordDecision(tx, { ...caller, action: 'prompt.run', resource: prompt.id, detail });
        const data = { message: appended[1], conversation, structured_data: outcome.structuredData };
        return { body: { success: outcome.success, data, metadata: answer.completion, warnings: outcome.warnings } };
      });
    }),
  ];
}
