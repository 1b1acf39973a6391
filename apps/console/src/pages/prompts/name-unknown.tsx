import { Alert, Button, Group, Text } from '@mantine/core';
import type { TokenSource } from '../../api/prompt-records.js';
import { schemaIn, schemaText, withProperties } from './prompt-fields.js';

export interface NameUnknownProps {
  tokens: readonly { name: string; source: TokenSource }[];
  /** The input's schema as text. */
  schema: string;
  onChange: (schema: string) => void;
}

/** Lists unknown variables, with a button that adds them to the input's schema. */
export function NameUnknown({ tokens, schema, onChange }: NameUnknownProps) {
  const found = schemaIn(schema);
  const names = tokens.filter(({ name, source }) => source === null && !name.includes('.')).map(({ name }) => name);
  if (typeof found === 'string' || names.length === 0) return null;
  return (
    <Alert color="yellow" py="xs" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {names.length === 1 ? 'Unknown variable: ' : 'Unknown variables: '}
          <bdi>{names.slice(0, 10).join(', ')}</bdi>
          {names.length > 10 && ` and ${names.length - 10} more`}
        </Text>
        <Button size="xs" variant="default" onClick={() => onChange(schemaText(withProperties(found, names)))}>
          {names.length === 1 ? 'Add as input' : 'Add as inputs'}
        </Button>
      </Group>
    </Alert>
  );
}
