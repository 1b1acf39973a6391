import { mapParts, mediaOf, operationsOf, refTo, type Described, type Operation, type Schema } from './schema.js';

/**
 * Moves the bodies and answers of a document to named components. A shape that occurs several times, alone or inside
 * another shape, has one name. Names come from operationIds: `getSkill` answers with a `Skill`, `listSkills` with a
 * `SkillList`, and `createSkill` takes a `NewSkill`. A title in the contract overrides the name, for shapes that are
 * equal by chance.
 */
export function nameSchemas(document: Described): void {
  const { schemas } = document.components;
  const names = new Map<string, string>();
  for (const { schema, name } of candidates(document).sort((a, b) => a.rank - b.rank)) {
    if (!isObject(schema) || names.has(textOf(schema))) continue;
    const free = [...(schema.title === undefined ? [] : [schema.title]), ...name].find((each) => !(each in schemas));
    if (free === undefined) throw new Error(`No name is left for the schema of ${name.join()}`);
    names.set(textOf(schema), free);
    schemas[free] = schema;
  }
  const refer = (schema: Schema): Schema => {
    const name = names.get(textOf(schema));
    if (name === undefined) return mapParts(schema, refer);
    return { ...refTo(name), ...(schema.description !== undefined && { description: schema.description }) };
  };
  for (const name of names.values()) schemas[name] = mapParts(withoutDescription(schemas[name] ?? {}), refer);
  for (const media of operationsOf(document).flatMap(mediaOf)) {
    if (media.schema) media.schema = refer(media.schema);
    const events = Object.entries(media['x-events'] ?? {});
    if (events.length > 0) media['x-events'] = Object.fromEntries(events.map(([event, data]) => [event, refer(data)]));
  }
}

interface Candidate {
  schema: Schema;
  /** Names in order of preference. The last names are always free. */
  name: string[];
  /** Schemas with a lower rank get their names first. */
  rank: number;
}

function candidates(document: Described): Candidate[] {
  return operationsOf(document).flatMap((operation) => {
    const [verb = '', ...rest] = operation.operationId.split(/\.|(?=[A-Z])/);
    // In an operationId such as `file.create`, the noun comes before the verb.
    const words = operation.operationId.includes('.') ? [verb] : rest;
    const action = operation.operationId.includes('.') ? String(rest[0]) : verb;
    const noun = words.map(capital).join('');
    const whole = capital(action) + noun;
    return [...requests(operation, action, noun, whole), ...answers(operation, action, noun, whole)];
  });
}

const MAKES = ['create', 'register', 'install', 'start', 'import'];
const CHANGES = ['update', 'change', 'rename'];
const REPLACES = ['replace', 'put'];

function requests({ requestBody }: Operation, action: string, noun: string, whole: string): Candidate[] {
  const name =
    noun === ''
      ? `${whole}Request`
      : MAKES.includes(action)
        ? `New${noun}`
        : CHANGES.includes(action)
          ? `${noun}Changes`
          : REPLACES.includes(action)
            ? `${noun}Replacement`
            : `${whole}Request`;
  return Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    schema ? [{ schema, name: [name, `${whole}Request`], rank: 3 }] : [],
  );
}

function answers({ responses }: Operation, action: string, noun: string, whole: string): Candidate[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { schema }]) => {
      if (!schema || !type.includes('json')) return [];
      const general = [`${whole}Answer`, `${whole}Answer${status}`];
      if (action === 'get') return [{ schema, name: [noun, ...general], rank: status === '200' ? 0 : 4 }];
      if (action === 'put') return [{ schema, name: [noun, ...general], rank: 2 }];
      if (action !== 'list' && action !== 'search') {
        const made = MAKES.includes(action) && noun !== '' ? [`Created${noun}`] : [];
        return [{ schema, name: [...made, ...general], rank: 4 }];
      }
      const one = singular(noun);
      const item = Object.values(schema.properties ?? {}).find(({ items }) => items !== undefined)?.items;
      return [
        { schema, name: [`${one}List`, `${whole}List`, ...general], rank: 2 },
        ...(item ? [{ schema: item, name: [one, `${one}Summary`, `${whole}Item`], rank: 1 }] : []),
      ];
    }),
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const singular = (noun: string) =>
  noun.endsWith('ies')
    ? `${noun.slice(0, -3)}y`
    : noun.endsWith('s') && !noun.endsWith('ss')
      ? noun.slice(0, -1)
      : noun;

const isObject = ({ properties, anyOf, oneOf }: Schema) => Boolean(properties ?? anyOf ?? oneOf);

function withoutDescription(schema: Schema): Schema {
  const copy = { ...schema };
  delete copy.description;
  return copy;
}

/** Text of a schema. Schemas that differ only in their own description have equal texts. */
const textOf = (schema: Schema) => JSON.stringify(withoutDescription(schema));
