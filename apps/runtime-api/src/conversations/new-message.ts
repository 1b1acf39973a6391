import { MOST_MESSAGE_IMAGES } from '@millwright/runs/message-images';
import { z } from 'zod';

const LENGTH = 200_000;

/** Body of a message to an agent. */
export const NewMessage = z.strictObject({
  content: z
    .string()
    .max(LENGTH)
    .refine((text) => text.trim() !== '', 'must not be empty'),
  context_id: z.string().max(100).optional(),
});

/** Maximum length of all images of a message in base64. The limit is higher than the length of `IMAGES_BYTES` in base64. */
const DATA_LENGTH = 7 * 1_048_576;

const GivenImage = z.union(
  [
    z.strictObject({
      data: z.string().min(1).max(DATA_LENGTH).meta({ description: 'A PNG, JPEG, WebP or GIF image in base64' }),
      name: z.string().max(255).optional().meta({ description: 'Name of its file, for people: the model reads none' }),
    }),
    z.strictObject({
      id: z.string().max(100).meta({ description: 'An image of an earlier message of the conversation' }),
    }),
  ],
  'must have data in base64, or the id of an image of the conversation',
);
export type GivenImage = z.output<typeof GivenImage>;

/** Fields of a message that may have images. A schema with these fields needs `hasContent`, too. */
export const messageFields = {
  content: z.string().max(LENGTH).meta({ description: 'May be empty with images' }),
  context_id: NewMessage.shape.context_id,
  images: z
    .array(GivenImage)
    .max(MOST_MESSAGE_IMAGES)
    .optional()
    .meta({ description: 'Images for the agent, 5 MiB together; the model of the agent has to read images' }),
};

/** Whether a message has a text or an image. Schemas with `messageFields` use it as a check. */
export const hasContent = ({
  content,
  images = [],
}: {
  content: string;
  images?: readonly unknown[] | undefined;
}): boolean => content.trim() !== '' || images.length > 0;

/** The fault of a message that has neither a text nor an image. */
export const NO_CONTENT = { path: ['content'], message: 'must not be empty' };
