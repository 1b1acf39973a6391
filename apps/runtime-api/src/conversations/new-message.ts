import { z } from 'zod';

/** Body of a message to an agent. */
export const NewMessage = z.strictObject({
  content: z
    .string()
    .max(200_000)
    .refine((text) => text.trim() !== '', 'must not be empty'),
  context_id: z.string().max(100).optional(),
});
