import { recordDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Instruction } from './prompts.contract.js';
import { possiblePrefixes } from '@millwright/catalog/template';
import type { BlockStore } from '../blocks/blocks.store.js';

export type RequireReadableBlocks = (
  caller: Caller,
  attempt: { action: string; resource: string },
  instruction: Instruction,
  /** The instruction before the change. Blocks that it already includes require no scope. */
  earlier?: Instruction,
) => Promise<void>;

/**
 * Refuses a caller without `blocks:read` whose instruction includes blocks that the earlier instruction does not include. A render would return the
 * contents of these blocks.
 *
 * @throws AppError forbidden, which is recorded
 */
export function createRequireReadableBlocks(db: Database, blocks: Pick<BlockStore, 'existing'>): RequireReadableBlocks {
  return async ({ project, actor, scopes }, { action, resource }, instruction, earlier) => {
    if (scopes?.has('blocks:read')) return;
    const known = new Set(earlier && possiblePrefixes(earlier));
    const added = possiblePrefixes(instruction).filter((prefix) => !known.has(prefix));
    if ((await blocks.existing(project, added)).length === 0) return;
    await recordDenial(db, { actor, action, resource, project }, 'scope blocks:read is missing');
    throw new AppError('forbidden');
  };
}
