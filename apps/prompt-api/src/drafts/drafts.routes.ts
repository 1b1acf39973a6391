import { route, type Route } from '@millwright/http';
import { renderDraft } from './drafts.contract.js';
import type { DraftService } from './drafts.service.js';

export function draftRoutes(drafts: DraftService): Route[] {
  return [
    route(renderDraft, async ({ principal, body, commit, idempotencyKey }) => {
      const reply = { body: await drafts.check(principal, body) };
      // The request changes nothing: only an answer stored under an Idempotency-Key needs a transaction.
      return idempotencyKey === undefined ? reply : commit(() => Promise.resolve(reply));
    }),
  ];
}
