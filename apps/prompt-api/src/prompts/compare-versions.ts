import { isDeepStrictEqual } from 'node:util';
import { diffArrays } from 'diff';
import type { StoredDefinition, VersionContent } from './prompts.store.js';
import type { Diff } from './versions.contract.js';

type Change = Diff['changes'][number];

/** Limit of differing lines; longer texts are not compared by line, because the time is quadratic in their length. */
const MOST_DIFFERING_LINES = 1_000;

/** Returns the changes between two versions of a prompt, in the order of the fields. */
export function compareVersions(from: VersionContent, to: VersionContent): Change[] {
  const [earlier, later] = [authorFields(from), authorFields(to)];
  return Object.keys(later).flatMap((path): Change[] => {
    const change = { path, from: earlier[path], to: later[path] };
    return isDeepStrictEqual(change.from, change.to) ? [] : [{ ...change, ...compareTexts(change) }];
  });
}

/** Returns the fields of a version that its author sets, by their paths. */
function authorFields({
  instruction,
  input,
  output,
  model_parameters,
  metadata,
}: VersionContent): Record<string, unknown> {
  return {
    ...under('instruction', instruction),
    ...under('input', definitionFields(input)),
    ...under('output', definitionFields(output)),
    model_parameters,
    ...under('metadata', metadata),
  };
}

function definitionFields({ name, description, type, reference, schema }: StoredDefinition) {
  return { name, description, type, reference, schema };
}

function under(parent: string, fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, unknown] => [`${parent}.${name}`, value]),
  );
}

function compareTexts({ from, to }: Pick<Change, 'from' | 'to'>): Pick<Change, 'lines'> {
  if (typeof from !== 'string' || typeof to !== 'string' || !`${from}${to}`.includes('\n')) return {};
  const parts = diffArrays(from.split('\n'), to.split('\n'), { maxEditLength: MOST_DIFFERING_LINES });
  const lines = parts?.flatMap(({ added, removed, value }) => {
    const kind = added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const);
    return value.map((text) => ({ kind, text }));
  });
  return lines ? { lines } : {};
}
