import { isStorable } from '@millwright/db';
import { z } from 'zod';

/** Whether a text can be stored and has no control characters, which a terminal would interpret. */
export const isPrintable = (text: string): boolean => isStorable(text) && !/\p{Cc}/u.test(text);

/** Makes the schema of a text from a client, with a maximum number of characters. */
export const printable = (most: number) => z.string().max(most).refine(isPrintable);
