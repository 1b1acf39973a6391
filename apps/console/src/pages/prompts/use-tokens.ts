import { useQuery } from '@tanstack/react-query';
import { areaList } from '../../api/areas.js';
import { propertiesOf } from '../../api/json-schema.js';
import type { Block } from '../../api/prompt-records.js';
import { variablesIn } from '../../ui/block-variables.js';
import type { TokenGroup } from './insert-token.js';
import { schemaIn, type PromptValues } from './prompt-fields.js';

const BUILT_IN = ['message', 'conversation.history', 'referenced_content'];

/** Queries the first blocks, sorted by title. */
function useBlocks() {
  return useQuery({
    ...areaList<Block>('prompt', '/v1/block', { page: 1, limit: 100, sort_by: 'title', sort_direction: 'asc' }),
    staleTime: 60_000,
  });
}

/** Returns the used blocks whose text has variables. Such variables are sent to the model unchanged. */
export function useRawVariables(used: readonly string[]): { block: string; names: string[] }[] {
  const blocks = useBlocks();
  return (blocks.data?.items ?? [])
    .filter(({ prefix }) => used.includes(prefix))
    .map(({ prefix, content }) => ({ block: prefix, names: variablesIn(content) }))
    .filter(({ names }) => names.length > 0);
}

/** The tokens that an author can insert. */
export function useTokens({ input }: Pick<PromptValues, 'input'>): TokenGroup[] {
  const blocks = useBlocks();
  const schema = schemaIn(input.schema);
  return [
    { label: 'Run', none: '', names: BUILT_IN },
    {
      label: 'Input',
      none: 'No properties yet',
      names: typeof schema === 'string' ? [] : propertiesOf(schema).map(({ name }) => name),
    },
    { label: 'Blocks', none: 'No blocks yet', names: blocks.data?.items.map(({ prefix }) => prefix) ?? [] },
  ];
}
