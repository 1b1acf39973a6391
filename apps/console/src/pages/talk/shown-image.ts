import type { ContextMessage } from '../../api/runtime-records.js';
import type { ImageAttachment } from './image-attachment.js';

/** An image of a message: an image that this page sends, or an image that is stored with the conversation. */
export interface ShownImage {
  key: string;
  name: string;
  /** Object URL of an image that this page sends. */
  url?: string;
  /** Path of a stored image. */
  path?: string;
  size?: { width: number; height: number };
  /** Id of a stored image. */
  id?: string;
}

export const storedImage =
  (contextId: string) =>
  ({ id, name, width, height }: ContextMessage['images'][number]): ShownImage => ({
    key: id,
    id,
    name,
    path: `/api/v1/contexts/${contextId}/images/${id}`,
    size: { width, height },
  });

export const sentImage = ({ name, url }: ImageAttachment): ShownImage => ({ key: url, name, url });
