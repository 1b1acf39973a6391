import { AppError } from '@millwright/errors';
import type { RequireReadableBlocks } from '../prompts/require-readable-blocks.js';
import type { OpenGuards } from '../guards/prompt-guards.js';
import { route, type Route } from '@millwright/http';
import { countTokens, requestParameters } from '@millwright/models';
import { conversationAbout, type Added, type ConversationStore } from '../conversations/conversations.store.js';
import type { RequireContinuable } from '../conversations/require-continuable.js';
import type { NewMessage } from '../conversations/messages.store.js';
import { toPrompt } from '../prompts/prompts.store.js';
import type { VersionChoice } from '../prompts/choose-version.js';
import type { VersionStore } from '../prompts/versions.store.js';
import type { RenderService } from './render.service.js';
import { runEvents } from './run-events.js';
import { restoreRun, toStored } from './stored-run.js';
import type { RunService } from './run.service.js';
import { renderPrompt, runPrompt } from './runs.contract.js';
import { recordRun, type UsageStore } from './runs.store.js';
import { getVersionUsage } from './usage.contract.js';

export interface RunRouteDeps {
  choice: VersionChoice;
  versions: VersionStore;
  conversations: ConversationStore;
  requireContinuable: RequireContinuable;
  requireReadableBlocks: RequireReadableBlocks;
  renderer: RenderService;
  runner: RunService;
  openGuards: OpenGuards;
  usage: UsageStore;
}

export function runRoutes({
  choice,
  versions,
  conversations,
  requireContinuable,
  requireReadableBlocks,
  renderer,
  runner,
  openGuards,
  usage,
}: RunRouteDeps): Route[] {
  return [
    route(renderPrompt, async ({ caller, principal, params, query, body, commit, idempotencyKey }) => {
      const prompt = await choice.choose(caller.project, params.uuid, [body, query]);
      const attempt = { action: renderPrompt.operationId, resource: prompt.id };
      await requireReadableBlocks(caller, attempt, prompt.instruction);
      const guards = await openGuards(caller, prompt.id);
      const rendered = (await renderer.prepare(principal, prompt, body, guards)).render([]);
      const data = {
        static: rendered.static,
        dynamic: rendered.dynamic,
        state: rendered.state,
        output_schema: prompt.output.resolved_schema,
        parsed_tokens: rendered.tokens,
        token_counts: {
          static: await countTokens(rendered.static),
          dynamic: await countTokens(rendered.dynamic),
          state: await countTokens(rendered.state),
        },
        prompt: toPrompt(prompt),
      };
      const reply = { body: { success: true, data, warnings: rendered.warnings } };
      // Rendering changes nothing: only an answer stored under an Idempotency-Key needs a transaction.
      return idempotencyKey === undefined ? reply : commit(() => Promise.resolve(reply));
    }),

    route(
      runPrompt,
      async ({ caller, principal, params, query, body, commit, idempotencyKey, events }) => {
        const prompt = await choice.choose(caller.project, params.uuid, [body, query]);
        if (body.conversation)
          await requireContinuable(caller, {
            action: runPrompt.operationId,
            resource: body.conversation,
            stored: true,
          });
        const past = body.conversation
          ? await conversations.history(caller.project, body.conversation)
          : { history: [] };
        if (!past) throw new AppError('not_found');
        const channel = 'prompt' as const;
        const { model, conversation: conversationId } = body;
        const stated = requestParameters(body.model_parameters ?? {});
        const continued = { ...past, conversationId };
        const guards = await openGuards(caller, prompt.id);
        const request = {
          ...{ caller, guards, input: body, ...continued, model, ...stated },
          ...{ idempotencyKey, progress: events, channel },
        };
        const outcome = await runner.run(principal, prompt, request);
        const { answer } = outcome;
        const store = () =>
          commit(async (tx) => {
            const turns: NewMessage[] = [
              { role: 'user', content: outcome.userContent, model: answer.model, reference: outcome.references },
              { role: 'assistant', content: answer.refusal || answer.text, model: answer.model },
            ];
            const added: Added = body.conversation
              ? await conversations.extend(tx, caller, body.conversation, turns)
              : await conversations.create(tx, caller, conversationAbout(prompt), turns);
            const { id, appended, lastSeq } = added;
            await recordRun(tx, caller, outcome.run, answer, { conversationId: id, messageId: appended[1]?.id });
            const conversation = await conversations.show(tx, added);
            const data = { message: appended[1], conversation, structured_data: outcome.structuredData };
            const { faults, warnings } = outcome;
            const { completion, costUsd } = answer;
            const result = { success: faults.length === 0, data, metadata: completion, warnings, cost_usd: costUsd };
            return { body: result, stored: toStored(result, lastSeq) };
          });
        return outcome.run.store(store);
      },
      runEvents,
      restoreRun(conversations),
    ),

    route(getVersionUsage, async ({ caller, params }) => {
      const version = await versions.find(caller.project, params.uuid, params.n);
      if (!version) throw new AppError('not_found');
      return { body: await usage.ofVersion(version.id, version.version) };
    }),
  ];
}
