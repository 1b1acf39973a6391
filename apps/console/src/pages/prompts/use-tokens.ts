import { useQuery } from '@tanstack/react-query';
import { areaList } from '../../api/areas.js';
import { propertiesOf } from '../../api/json-schema.js';
import type { Block } from '../../api/prompt-records.js';
import type { TokenGroup } from './insert-token.js';
import { schemaIn, type PromptValues } from './prompt-fields.js';

const BUILT_IN = ['message', 'conversation.history', 'referenced_content'];

/** The tokens that an author can insert. */
export function useTokens({ input }: Pick<PromptValues, 'input'>): TokenGroup[] {
  const blocks = useQuery({
    ...areaList<Block>('prompt', '/v1/block', { page: 1, limit: 100, sort_by: 'title', sort_direction: 'asc' }),
    staleTime: 60_000,
  });
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
