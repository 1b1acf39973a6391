import { AppError } from '@millwright/errors';
import { APIError } from 'openai/core/error';
import type { ModelDefinition, ModelImage, ModelMessage } from './model.js';

/** Maximum number of images in one request to a model. */
export const MOST_IMAGES = 20;

/**
 * Which images a model reads: none, only images whose data are in the request, or also images that its server fetches
 * from addresses.
 */
export type ImageInput = 'none' | 'data' | 'addresses';

export function imageInputOf({ images, imageUrls }: Pick<ModelDefinition, 'images' | 'imageUrls'>): ImageInput {
  if (!images) return 'none';
  return imageUrls ? 'addresses' : 'data';
}

export const readsImage = (input: ImageInput, { url }: ModelImage): boolean =>
  input === 'addresses' || (input === 'data' && url.startsWith('data:'));

type WithImages = Pick<ModelMessage, 'images'>;

export const imagesOf = (messages: readonly WithImages[]): ModelImage[] =>
  messages.flatMap(({ images = [] }) => images);

/** Statuses with which a server refuses the content of a request. */
const REFUSED = [400, 413, 415, 422];

/** The error for a request with images that the server of a model refuses; undefined for any other failure. */
export function refusedImages(model: string, messages: readonly WithImages[], error: unknown): AppError | undefined {
  const cause = error instanceof AppError ? error.cause : undefined;
  if (!(cause instanceof APIError) || !REFUSED.includes((cause as APIError).status ?? 0)) return undefined;
  if (imagesOf(messages).length === 0) return undefined;
  const reason = `has images, and the server of the model ${model} refuses the request: it may not read one of them`;
  return new AppError('validation_error', { fields: [{ field: 'message', reason }], cause });
}
