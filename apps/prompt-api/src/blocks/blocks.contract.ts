import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListQuery } from '../metadata/list.contract.js';
import { Metadata, MetadataChanges, NewMetadata } from '../metadata/metadata.contract.js';

const Prefix = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z_]+$/);
const Content = z.string().max(1_000_000);

/** Spec, "Block". */
export const Block = z.object({
  id: z.string(),
  content: z.string(),
  prefix: z.string(),
  metadata: Metadata,
  _link: z.string(),
});
export type Block = z.output<typeof Block>;

export const NewBlock = z.object({ prefix: Prefix, content: Content.default(''), metadata: NewMetadata });
export type NewBlock = z.output<typeof NewBlock>;

export const BlockChanges = z.object({
  prefix: Prefix.optional(),
  content: Content.optional(),
  metadata: MetadataChanges.optional(),
});
export type BlockChanges = z.output<typeof BlockChanges>;

const params = z.object({ uuid: z.uuid() });
const one = { status: 200, description: 'The block', body: Block } as const;

export const createBlock = endpoint({
  operationId: 'createBlock',
  method: 'POST',
  path: '/v1/block',
  summary: 'Create a block',
  tag: 'Blocks',
  scope: 'blocks:write',
  limit: 'credential',
  body: NewBlock,
  success: { status: 201, description: 'The new block', body: Block },
  errors: ['conflict'],
});

export const listBlocks = endpoint({
  operationId: 'listBlocks',
  method: 'GET',
  path: '/v1/block',
  summary: 'List blocks',
  tag: 'Blocks',
  scope: 'blocks:read',
  limit: 'credential',
  query: ListQuery,
  success: { status: 200, description: 'A page of blocks', body: z.array(Block) },
  errors: [],
});

export const getBlock = endpoint({
  operationId: 'getBlock',
  method: 'GET',
  path: '/v1/block/{uuid}',
  summary: 'Read a block',
  tag: 'Blocks',
  scope: 'blocks:read',
  limit: 'credential',
  params,
  success: one,
  errors: [],
});

export const updateBlock = endpoint({
  operationId: 'updateBlock',
  method: 'PUT',
  path: '/v1/block/{uuid}',
  summary: 'Change a block',
  tag: 'Blocks',
  scope: 'blocks:write',
  limit: 'credential',
  params,
  body: BlockChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteBlock = endpoint({
  operationId: 'deleteBlock',
  method: 'DELETE',
  path: '/v1/block/{uuid}',
  summary: 'Delete a block',
  tag: 'Blocks',
  scope: 'blocks:write',
  limit: 'credential',
  params,
  success: { status: 204, description: 'The block is deleted' },
  errors: ['precondition_failed'],
});
