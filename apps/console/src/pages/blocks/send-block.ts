import { askArea, matching } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import type { Block } from '../../api/prompt-records.js';
import type { BlockFields } from './block-form.js';

/** Saves a block; a new block is posted to the path of the list. @throws ApiError if the request fails, also if another block has the name */
export async function sendBlock(
  method: 'POST' | 'PUT',
  path: string,
  { prefix, content, ...metadata }: BlockFields,
  etag?: string,
): Promise<Block> {
  try {
    return await askArea<Block>('prompt', method, path, { prefix, content, metadata }, matching(etag));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const message = `Another block has the name "${prefix}". Choose another one.`;
    throw new ApiError(409, error.code, message, error.requestId);
  }
}
