import type { Definition, Prompt } from '../../api/prompt-records.js';

/** What the author of a version wrote, by its path in the prompt. */
export function authorFields({ instruction, input, output, metadata }: Prompt): Record<string, unknown> {
  const { title, description, tag, status } = metadata;
  return {
    ...under('instruction', { ...instruction }),
    ...under('input', definitionFields(input)),
    ...under('output', definitionFields(output)),
    ...under('metadata', { title, description, tag, status }),
  };
}

function definitionFields({ name, description, reference, schema }: Definition) {
  return { name, description, reference: reference.map(({ uuid }) => uuid), schema };
}

function under(parent: string, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${parent}.${name}`, value]));
}
