import { storableText } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ModelAnswer } from '@millwright/models';

/**
 * Returns the model's answer, or else the text of its refusal, as text that PostgreSQL can store.
 *
 * @throws AppError unavailable when both are blank
 */
export function answerText({ text, refusal }: Pick<ModelAnswer, 'text' | 'refusal'>): string {
  const said = [text, refusal ?? ''].map(storableText).find((part) => part.trim() !== '');
  if (said === undefined) throw new AppError('unavailable', { cause: new Error('the model answered without text') });
  return said;
}
