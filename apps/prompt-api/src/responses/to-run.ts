import { AppError, invalidField } from '@millwright/errors';
import { propertyNames } from '@millwright/schemas';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { HistoryMessage } from '../runs/fit-history.js';
import type { ReadFile } from '../models/file-reader.js';
import { requireFewImages, requireImage, textAndImages, type TextOrImage } from '../models/text-and-images.js';
import type { InputItem, PromptUse, ResponseRequest } from './response-request.js';

type Content = Extract<InputItem, { role: string }>['content'];
type InputImage = Extract<Exclude<Content, string>[number], { type: 'input_image' }>;

async function toParts(content: Content, field: string, readFile: ReadFile): Promise<TextOrImage[]> {
  if (typeof content === 'string') return [{ text: content }];
  const parts: TextOrImage[] = [];
  for (const [index, part] of content.entries()) {
    const name = `${field}.${index}`;
    if (part.type === 'input_image') parts.push(imageOf(part, name));
    else if (part.type === 'input_file') parts.push(await readFile(part, name));
    else parts.push({ text: 'refusal' in part ? part.refusal : part.text });
  }
  return parts;
}

function imageOf({ image_url: url, detail, file_id: id }: InputImage, field: string): TextOrImage {
  if (url === undefined && typeof id === 'string')
    throw invalidField(`${field}.file_id`, 'is not supported: send the image as image_url');
  return requireImage(url, detail, `${field}.image_url`);
}

async function toMessage(item: InputItem, field: string, readFile: ReadFile): Promise<HistoryMessage> {
  if (item.type === 'function_call_output')
    return {
      role: 'tool',
      ...textAndImages(await toParts(item.output, `${field}.output`, readFile), true),
      tool_call_id: item.call_id,
    };
  if (item.type === 'function_call') {
    const { call_id: id, name, arguments: args } = item;
    return { role: 'assistant', content: '', tool_calls: [{ id, name, arguments: args }] };
  }
  const { images, ...text } = textAndImages(await toParts(item.content, `${field}.content`, readFile));
  if (images && item.role !== 'user')
    throw invalidField(`${field}.content`, 'has an image: only messages of the user may');
  return { role: item.role === 'developer' ? 'system' : item.role, ...text, ...(images && { images }) };
}

/**
 * Converts items to messages. Successive calls of functions become one message, together with the model's text before them.
 *
 * @throws AppError validation_error for an image or file that cannot be read
 */
export async function toMessages(
  items: readonly InputItem[],
  field: string,
  readFile: ReadFile,
): Promise<HistoryMessage[]> {
  const messages: HistoryMessage[] = [];
  for (const [index, item] of items.entries()) {
    const message = await toMessage(item, `${field}.${index}`, readFile);
    const before = messages.at(-1);
    if (item.type !== 'function_call' || before?.role !== 'assistant') messages.push(message);
    else before.tool_calls = [...(before.tool_calls ?? []), ...(message.tool_calls ?? [])];
  }
  requireFewImages(messages, field);
  return messages;
}

/** Converts a message to the form that is stored. */
export const toNewMessage = ({ role, content, images, tool_calls: calls, tool_call_id }: HistoryMessage) => ({
  ...{ role, content },
  ...(images && images.length > 0 && { images: JSON.stringify(images) }),
  ...(calls && calls.length > 0 && { tool_calls: calls.map((call) => ({ ...call })) }),
  ...(tool_call_id !== undefined && { tool_call_id }),
});

/**
 * Converts an input to messages.
 *
 * @throws AppError validation_error when the last message is neither a message of the user nor an output of a function
 */
export async function inputMessages(input: ResponseRequest['input'], readFile: ReadFile): Promise<HistoryMessage[]> {
  if (input === undefined) return [];
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const messages = await toMessages(input, 'input', readFile);
  const last = messages.at(-1);
  if (last && last.role !== 'user' && last.role !== 'tool')
    throw invalidField('input', "must end with the user's message");
  return messages;
}

interface Typed {
  properties?: Record<string, { type?: string | string[] } | undefined>;
  allOf?: Typed[];
}

/** Whether the input schema states types of the property `name`, and string is not one of them. */
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

/**
 * Converts the variables of a request, which are texts, to values of the prompt's input. A text is parsed as JSON when the input schema does not
 * allow a string for its property.
 */
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

/** Returns the error with the field names of this API, in place of those of a run. */
export function inRequestTerms(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'validation_error') return error;
  const fields = error.fields.map(({ field, reason }) => {
    const [pattern, name] = OWN_NAMES.find(([ours]) => ours.test(field)) ?? [field, field];
    return { field: field.replace(pattern, name), reason };
  });
  return new AppError('validation_error', { fields, cause: error });
}
