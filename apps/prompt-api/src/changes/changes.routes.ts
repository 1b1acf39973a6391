import type { Caller, Principal, Project, Scope } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import {
  forEachChange,
  isRef,
  makeChange,
  Refs,
  requireAccess,
  requireFound,
  route,
  type Route,
} from '@millwright/http';
import type { BlockChanges, NewBlock } from '../blocks/blocks.contract.js';
import type { BlockStore } from '../blocks/blocks.store.js';
import type { RequireReadableBlocks } from '../prompts/require-readable-blocks.js';
import { withoutUndefined } from '../metadata/metadata.store.js';
import type { Instruction, NewPrompt, PromptChanges } from '../prompts/prompts.contract.js';
import type { PromptService } from '../prompts/prompts.service.js';
import { toPrompt, type PromptStore, type StoredPrompt } from '../prompts/prompts.store.js';
import type { VersionStore } from '../prompts/versions.store.js';
import { makeChanges, type Change } from './changes.contract.js';

export interface ChangeDeps {
  db: Database;
  blocks: BlockStore;
  prompts: PromptStore;
  service: PromptService;
  versions: VersionStore;
  requireReadableBlocks: RequireReadableBlocks;
}

const SCOPES = { block: 'blocks:write', prompt: 'prompts:write' } as const satisfies Record<Change['kind'], Scope>;

const EMPTY: Instruction = { static: '', state: '', dynamic: '' };

const versioned = (prompt: StoredPrompt) => ({ record: toPrompt(prompt), version: prompt.version });

export function changeRoutes({ db, blocks, prompts, service, versions, requireReadableBlocks }: ChangeDeps): Route[] {
  async function instructionOf(project: Project, id: string): Promise<Instruction> {
    return isRef(id) ? EMPTY : requireFound(await prompts.find(project, id)).instruction;
  }

  /**
   * Makes the checks that must run before the transaction: checks of schemas, which would make the transaction long, and checks of scopes, whose
   * refusals are recorded even if the transaction is rolled back.
   */
  async function prepare(caller: Caller, change: Change): Promise<void> {
    if (change.kind !== 'prompt' || change.action === 'delete') return;
    if (change.action === 'create')
      await requireReadableBlocks(caller, { action: 'prompt.create', resource: 'prompt' }, change.fields.instruction);
    else if (change.fields.instruction) {
      const earlier = await instructionOf(caller.project, change.id);
      const instruction = { ...earlier, ...withoutUndefined(change.fields.instruction) };
      await requireReadableBlocks(caller, { action: 'prompt.update', resource: change.id }, instruction, earlier);
    }
    await service.requireUsableSchemas(caller.project, change.fields);
  }

  function make(tx: Tx, principal: Principal, caller: Caller, change: Change, refs: Refs) {
    if (change.kind === 'block')
      return makeChange<NewBlock, BlockChanges>('prompt', change, refs, {
        create: (fields) => blocks.create(tx, caller, fields),
        update: (target, fields) => blocks.update(tx, caller, target, fields),
        remove: (target) => blocks.remove(tx, caller, target),
      });
    return makeChange<NewPrompt, PromptChanges>('prompt', change, refs, {
      create: async (fields) => versioned(await service.create(tx, caller, fields)),
      update: async ({ id, ifMatch }, fields) => versioned(await service.update(tx, caller, id, ifMatch, fields)),
      async remove({ id, ifMatch }) {
        const mover = { ...caller, mayMoveProtected: principal.scopes.has('admin') };
        await versions.lockForDeletion(tx, mover, id);
        await service.remove(tx, caller, id, { ifMatch, reason: undefined });
      },
    });
  }

  return [
    route(makeChanges, async ({ principal, caller, from, body: { changes }, commit }) => {
      const { path, operationId: action } = makeChanges;
      for (const scope of new Set(changes.map(({ kind }) => SCOPES[kind])))
        await requireAccess(db, { scope }, principal, { ...from, path, action });
      return commit(
        async (tx) => {
          const refs = new Refs();
          return {
            body: { changes: await forEachChange(changes, (change) => make(tx, principal, caller, change, refs)) },
          };
        },
        () => forEachChange(changes, (change) => prepare(caller, change)),
      );
    }),
  ];
}
