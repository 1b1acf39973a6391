import { decodeId, encodeId, Prisma, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { ImageRecord } from './contexts.contract.js';
import {
  isNew,
  requireFitting,
  type MessageImage,
  type NewImage,
  type SentImage,
} from '@millwright/runs/message-images';

/**
 * An image of a message, in the form in which it is stored. A new image has its bytes. A kept image names the earlier image whose bytes are copied.
 */
export type StorableImage = NewImage | (MessageImage & { copyOf: string });

export const toImageRecord = ({ id, name, content_type, size, width, height }: MessageImage): ImageRecord => ({
  ...{ id: encodeId('img', id), name, content_type, size, width, height },
});

/**
 * Resolves the images of a new message. A kept image is an image of an earlier message of the conversation; the new message gets a copy of it.
 *
 * @throws AppError validation_error when the conversation does not have a kept image, or the images are together too large
 */
export async function resolveImages(
  tx: Tx,
  contextId: string | undefined,
  sent: readonly SentImage[],
  newImageId: () => string,
): Promise<StorableImage[]> {
  const kept = sent.flatMap((image) => (isNew(image) ? [] : [image.keptId]));
  const rows =
    kept.length === 0 || contextId === undefined
      ? []
      : await tx.$queryRaw<{ images: MessageImage[] }[]>`
          SELECT m.images FROM context_messages m
           WHERE m.context_id = ${contextId}::uuid AND m.images IS NOT NULL
             AND m.id IN (SELECT i.message_id FROM context_images i WHERE i.id = ANY(${kept}::uuid[]))`;
  const known = new Map(rows.flatMap(({ images }) => images.map((image) => [image.id, image] as const)));
  const images = sent.map((image, index): StorableImage => {
    if (isNew(image)) return image;
    const found = known.get(image.keptId);
    if (!found) throw invalidField(`images.${index}.id`, 'is not an image of this conversation');
    return { ...found, id: newImageId(), copyOf: found.id };
  });
  requireFitting(images, 'images');
  return images;
}

/** Stores the bytes of the images of a message that is already stored. */
export async function insertImages(tx: Tx, messageId: string, images: readonly StorableImage[]): Promise<void> {
  for (const image of images) {
    const bytes =
      'bytes' in image
        ? Prisma.sql`${image.bytes}::bytea`
        : Prisma.sql`(SELECT bytes FROM context_images WHERE id = ${image.copyOf}::uuid)`;
    await tx.$executeRaw`
      INSERT INTO context_images (id, message_id, bytes) VALUES (${image.id}::uuid, ${messageId}::uuid, ${bytes})`;
  }
}

/** Reads images of conversations. */
export function createContextImages(db: Database) {
  return {
    /** Finds an image of a conversation that the caller was allowed to read; undefined when the image does not exist or was deleted. */
    async find(contextId: string, imageId: string): Promise<MessageImage | undefined> {
      const id = decodeId('img', imageId);
      if (id === undefined) return undefined;
      const [row] = await db.prepared<{ images: MessageImage[] | null }>(
        'find-context-image',
        `SELECT m.images FROM context_images i JOIN context_messages m ON m.id = i.message_id
          WHERE i.id = $1 AND m.context_id = $2 AND m.replaced_by IS NULL`,
        [id, contextId],
      );
      return row?.images?.find((image) => image.id === id);
    },

    /** Total size of the images in bytes. */
    async sizeOf(ids: readonly string[]): Promise<number> {
      const [row] = await db.prepared<{ size: number }>(
        'size-context-images',
        'SELECT coalesce(sum(octet_length(bytes)), 0)::int AS size FROM context_images WHERE id = ANY($1::uuid[])',
        [ids],
      );
      return row?.size ?? 0;
    },

    /** Reads images as data URLs, by their row ids. Deleted images are missing in the result. */
    async read(ids: readonly string[]): Promise<Map<string, string>> {
      const rows = await db.prepared<{ id: string; bytes: Buffer; type: string }>(
        'read-context-images',
        `SELECT i.id, i.bytes, kept ->> 'content_type' AS type
           FROM context_images i JOIN context_messages m ON m.id = i.message_id, json_array_elements(m.images) kept
          WHERE i.id = ANY($1::uuid[]) AND kept ->> 'id' = i.id::text`,
        [ids],
      );
      return new Map(rows.map(({ id, bytes, type }) => [id, `data:${type};base64,${bytes.toString('base64')}`]));
    },

    /** @throws AppError not_found when the image was deleted */
    async bytes(id: string): Promise<Buffer> {
      const [row] = await db.prepared<{ bytes: Buffer }>(
        'read-context-image',
        'SELECT bytes FROM context_images WHERE id = $1',
        [id],
      );
      if (!row) throw new AppError('not_found');
      return row.bytes;
    },
  };
}
export type ContextImages = ReturnType<typeof createContextImages>;
