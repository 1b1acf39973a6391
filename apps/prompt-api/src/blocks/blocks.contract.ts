import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListQuery } from '../metadata/list.contract.js';
import { Metadata, MetadataChanges, NewMetadata } from '../metadata/metadata.contract.js';

const Prefix = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z_]+$/);
const Content = z.string().max(1_000_000);

/** A text that templates insert by its prefix. */
export const Block = z
  .object({
    id: z.string(),
    content: z.string(),
    prefix: z.string(),
    metadata: Metadata,
    _link: z.string(),
  })
  .meta({ title: 'Block' });
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

const blocks = { tag: 'Blocks', limit: 'credential' } as const;

export const createBlock = endpoint({
  ...blocks,
  operationId: 'createBlock',
  method: 'POST',
  path: '/v1/block',
  summary: 'Create a block',
  access: { scope: 'blocks:write' },
  body: NewBlock,
  success: { status: 201, description: 'The new block', body: Block },
  errors: ['conflict'],
});

export const listBlocks = endpoint({
  ...blocks,
  operationId: 'listBlocks',
  method: 'GET',
  path: '/v1/block',
  summary: 'List blocks',
  access: { scope: 'blocks:read' },
  query: ListQuery,
  success: { status: 200, description: 'A page of blocks', body: z.array(Block) },
  errors: [],
});

export const getBlock = endpoint({
  ...blocks,
  operationId: 'getBlock',
  method: 'GET',
  path: '/v1/block/{uuid}',
  summary: 'Read a block',
  access: { scope: 'blocks:read' },
  params,
  success: one,
  errors: [],
});

export const updateBlock = endpoint({
  ...blocks,
  operationId: 'updateBlock',
  method: 'PUT',
  path: '/v1/block/{uuid}',
  summary: 'Change a block',
  access: { scope: 'blocks:write' },
  params,
  body: BlockChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteBlock = endpoint({
  ...blocks,
  operationId: 'deleteBlock',
  method: 'DELETE',
  path: '/v1/block/{uuid}',
  summary: 'Delete a block',
  access: { scope: 'blocks:write' },
  params,
  success: { status: 204, description: 'The block is deleted' },
  errors: ['precondition_failed'],
});
