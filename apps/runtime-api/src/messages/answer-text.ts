import { storableText } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ModelAnswer } from '@millwright/models';

/**
 * What the model said, as text that can be stored. A refusal is an answer too; silence is none.
 *
 * @throws AppError unavailable
 */
export function answerText({ text, refusal }: Pick<ModelAnswer, 'text' | 'refusal'>): string {
  const said = [text, refusal ?? ''].map(storableText).find((part) => part.trim() !== '');
  if (said === undefined) throw new AppError('unavailable', { cause: new Error('the model answered without text') });
  return said;
}
