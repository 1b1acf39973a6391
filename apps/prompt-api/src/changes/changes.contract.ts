import { isUuid } from '@millwright/db';
import { changeOf, endpoint, MadeChanges, MOST_CHANGES } from '@millwright/http';
import { z } from 'zod';
import { BlockChanges, NewBlock } from '../blocks/blocks.contract.js';
import { NewPrompt, PromptChanges } from '../prompts/prompts.contract.js';

export const Change = z.discriminatedUnion('kind', [
  changeOf('block', NewBlock, BlockChanges, isUuid),
  changeOf('prompt', NewPrompt, PromptChanges, isUuid),
]);
export type Change = z.output<typeof Change>;

export const makeChanges = endpoint({
  operationId: 'makeChanges',
  method: 'POST',
  path: '/v1/changes',
  tag: 'Changes',
  summary: 'Create, update and delete blocks and prompts, all or nothing',
  description:
    'The changes are made in their order and in one transaction. A refusal names the change, as `changes.2`, and nothing is changed. A prompt with a protected label is deleted by its own path, which takes the reason. Requires `blocks:write` or `prompts:write` for the kinds that it names.',
  access: 'credential',
  limit: 'credential',
  body: z.object({ changes: z.array(Change).min(1).max(MOST_CHANGES) }),
  success: { status: 200, description: 'All changes were made', body: MadeChanges },
  errors: ['forbidden', 'not_found', 'conflict', 'precondition_failed'],
});
