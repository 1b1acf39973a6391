import { invalidField, type AppError } from '@millwright/errors';

/** Maximum number of names that an error lists. */
const MOST_NAMED = 20;

/** The refusal of a name that is not a model of the project. It lists the names of the project's models. */
export function unknownModel(name: string, available: readonly string[]): AppError {
  const further = available.length - MOST_NAMED;
  const listed = available.slice(0, MOST_NAMED).join(', ') + (further > 0 ? ` and ${further} more` : '');
  return invalidField('model', `"${name}" is not a model of this project. Available: ${listed || 'none'}`);
}
