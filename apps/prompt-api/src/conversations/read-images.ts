import type { ModelImage } from '@millwright/models';

/** Parses the images of a stored message. */
export const readImages = (stored: string | null): ModelImage[] =>
  stored === null ? [] : (JSON.parse(stored) as ModelImage[]);
