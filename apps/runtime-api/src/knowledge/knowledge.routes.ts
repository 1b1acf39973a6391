import { recordDenial } from '@millwright/audit';
import type { Caller, Scope } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './knowledge.contract.js';
import type { KnowledgeStore } from './knowledge.store.js';

const READS_FILES: Scope = 'files:read';

/**
 * Requires the scope `files:read`, because indexing makes the text of the file readable with `content:read`. @throws AppError forbidden without this
 * scope
 */
async function requireReadsFiles(db: Database, caller: Caller, resource: string): Promise<void> {
  if (caller.scopes?.has(READS_FILES)) return;
  await recordDenial(db, { ...caller, action: 'knowledge.put', resource }, `scope ${READS_FILES} is missing`);
  throw new AppError('forbidden', {
    fields: [{ field: 'scope', reason: `${READS_FILES} is missing` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${READS_FILES}"` },
  });
}

export function knowledgeRoutes(db: Database, knowledge: KnowledgeStore): Route[] {
  return [
    route(contract.putKnowledge, async ({ caller, params, body, commit }) => {
      await requireReadsFiles(db, caller, params.file_id);
      return commit(async (tx) => {
        const { record, version } = await knowledge.put(tx, caller, params.file_id, body.tags);
        return { body: record, version };
      });
    }),

    route(contract.getKnowledge, async ({ caller, params }) => {
      const found = await knowledge.find(caller.project, params.file_id);
      if (!found) throw new AppError('not_found');
      return { body: found.record, version: found.version };
    }),

    route(contract.listKnowledge, async ({ caller, query }) => ({
      body: await knowledge.list(caller.project, query),
    })),

    route(contract.deleteKnowledge, ({ caller, params, commit }) =>
      commit(async (tx) => {
        await knowledge.remove(tx, caller, params.file_id);
        return {};
      }),
    ),
  ];
}
