import { isJsonObject } from '@millwright/json';
import type { ModelTool } from '../model.js';
import { createInstance } from './instance.js';

export interface ChosenCall {
  tool: ModelTool;
  args: object;
}

/** Verbs for reading that names of tools contain. A message can call the tool without these verbs. */
const READING = new Set([
  'get',
  'list',
  'search',
  'find',
  'read',
  'show',
  'fetch',
  'lookup',
  'query',
  'current',
  'the',
]);
/** Words that a message may have between the name of a tool and the argument of the tool. */
const CONNECTORS = /^(?:\s|[:,;]|-(?=\s)|(?:for|about|of|in|on|to|with|the|a|an|me|that|says?|saying|is)\b)+/i;
const NUMBER = /-?\d+(?:\.\d+)?/g;
const QUOTED = /["\u201c]([^"\u201d]+)["\u201d]/g;

/** Words that request the time, so that "What day is it?" calls a clock. */
const OF_TIME = new Set(['time', 'day', 'date', 'today', 'weekday', 'clock']);

/** Returns the stem of a word, such as `order` for `orders`, so that the singular and the plural of a noun are equal. */
function stem(word: string): string {
  const singular = word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
  return OF_TIME.has(singular) ? 'time' : singular;
}

/** Splits a name such as `search_content`, `get-sum` or `convertUnits2` into lower-case words. */
const wordsOfName = (name: string) =>
  (name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').match(/[a-z]+/gi) ?? []).map((word) => stem(word.toLowerCase()));

const wordsOf = (text: string) => (text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem);

/**
 * The words of a tool's name that a message must contain to call the tool: all words except the verbs of reading, or
 * all words when there are no others.
 */
function neededWords({ name }: ModelTool): string[] {
  const words = [...new Set(wordsOfName(name))];
  const telling = words.filter((word) => !READING.has(word));
  return telling.length > 0 ? telling : words;
}

/** The text after the last of the words; the whole text when the text has none of the words. */
function textAfter(text: string, words: readonly string[]): string {
  const all = [...text.matchAll(/\p{L}+/gu)];
  const last = all.findLast(([word]) => words.includes(stem(word.toLowerCase())));
  const rest = last ? text.slice(last.index + last[0].length).replace(CONNECTORS, '') : '';
  return rest.replace(/[?!.\s]+$/, '') || text;
}

/**
 * Values for the required parameters, and for the parameters for which the message contains a number, a quoted text or
 * a choice.
 */
function argumentsFrom({ name, parameters }: ModelTool, text: string): object {
  const schema: Record<string, unknown> = { ...parameters };
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const sample: unknown = createInstance(parameters);
  const needed = Object.entries(isJsonObject(sample) ? sample : {}).filter(([key]) => required.includes(key));
  const numbers = [...text.matchAll(NUMBER)].map(([digits]) => Number(digits));
  const quoted = [...text.matchAll(QUOTED)].map(([, inner]) => inner);
  const rest = textAfter(text, wordsOfName(name));

  function valueOf(property: unknown, isRequired: boolean): unknown {
    if (!isJsonObject(property)) return undefined;
    if (Array.isArray(property['enum'])) {
      const words = wordsOf(text);
      return property['enum'].find(
        (choice) => typeof choice === 'string' && words.includes(stem(choice.toLowerCase())),
      );
    }
    if (property['type'] === 'integer' || property['type'] === 'number') return numbers.shift();
    if (property['type'] !== 'string' || 'format' in property || 'pattern' in property || 'const' in property)
      return undefined;
    return quoted.shift() ?? (isRequired ? rest : undefined);
  }

  const given = Object.entries(properties).flatMap(([key, property]): [string, unknown][] => {
    const value = valueOf(property, required.includes(key));
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries<unknown>([...needed, ...given]);
}

/**
 * Chooses the tool that a message names, with arguments from the message. Of several tools, chooses the tool whose name has the most words
 * in the message.
 *
 * @returns undefined when the message names no tool
 */
export function chooseCall(tools: readonly ModelTool[], text: string): ChosenCall | undefined {
  const written = new Set(wordsOf(text));
  const named = tools
    .map((tool) => ({ tool, needed: neededWords(tool) }))
    .filter(({ needed }) => needed.length > 0 && needed.every((word) => written.has(word)))
    .sort((a, b) => b.needed.length - a.needed.length)[0];
  return named && { tool: named.tool, args: argumentsFrom(named.tool, text) };
}
