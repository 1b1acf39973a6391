import { storableText } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ModelAnswer } from '@millwright/models';

/**
 * The model's answer as text that PostgreSQL can store. A refusal is an answer, but an empty text is not.
 *
 * @throws AppError unavailable
 */
export function answerText({ text, refusal }: Pick<ModelAnswer, 'text' | 'refusal'>): string {
  const said = [text, refusal ?? ''].map(storableText).find((part) => part.trim() !== '');
  if (said === undefined) throw new AppError('unavailable', { cause: new Error('the model answered without text') });
  return said;
}
