import { AppError, invalidField } from '@millwright/errors';
import { propertyNames } from '@millwright/schemas';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { HistoryMessage } from '../runs/fit-history.js';
import type { InputMessage, PromptUse, ResponseRequest } from './response-request.js';

function textOf({ content }: InputMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join('\n');
}

/** Splits the input into the user's newest message and the messages before it. */
export function splitInput(input: ResponseRequest['input']): { earlier: HistoryMessage[]; message?: string } {
  if (input === undefined) return { earlier: [] };
  if (typeof input === 'string') return { earlier: [], message: input };
  const messages = input.map((message): HistoryMessage => {
    const role = message.role === 'developer' ? 'system' : message.role;
    return { role, content: textOf(message) };
  });
  const last = messages.pop();
  if (!last) return { earlier: [] };
  if (last.role !== 'user') throw invalidField('input', "must end with the user's message");
  return { earlier: messages, message: last.content };
}

interface Typed {
  properties?: Record<string, { type?: string | string[] } | undefined>;
  allOf?: Typed[];
}

/** Whether the input schema admits no string under this name. */
function isNoString(schema: Typed, name: string): boolean {
  const types = [schema, ...(schema.allOf ?? [])].flatMap(({ properties }) => properties?.[name]?.type ?? []);
  return types.length > 0 && !types.includes('string');
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Converts variables, which are texts, to JSON values where the prompt's input has another type. */
export function structuredData(prompt: StoredPrompt, { variables }: PromptUse): Record<string, unknown> | undefined {
  if (!variables) return undefined;
  const schema = prompt.input.resolved_schema;
  const known = propertyNames(schema);
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => {
      if (!known.has(name)) throw invalidField(`prompt.variables.${name}`, "is not a property of the prompt's input");
      const value = typeof variable === 'string' ? variable : variable.text;
      return [name, isNoString(schema, name) ? asJson(value) : value];
    }),
  );
}

const OWN_NAMES: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^structured_data\b/, 'prompt.variables'],
  [/^(version|label)$/, 'prompt.version'],
  [/^message$/, 'input'],
];

/** Renames the fields of a run's failure to those of this endpoint's request. */
export function inRequestTerms(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'validation_error') return error;
  const fields = error.fields.map(({ field, reason }) => {
    const [pattern, name] = OWN_NAMES.find(([ours]) => ours.test(field)) ?? [field, field];
    return { field: field.replace(pattern, name), reason };
  });
  return new AppError('validation_error', { fields, cause: error });
}
