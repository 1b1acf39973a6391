import { Badge, Group, Text } from '@mantine/core';
import { PARTS, type Part, type Rendered } from '../../api/prompt-records.js';
import { countText } from '../../ui/figures.js';
import { fieldLabel } from '../versions/field-label.js';
import classes from './prompts.module.css';

const ROLES: Readonly<Record<Part, string>> = { static: 'system', state: 'system', dynamic: 'user' };

/** The three rendered messages with their token counts. */
export function RenderedView({ rendered }: { rendered: Pick<Rendered, Part | 'token_counts'> }) {
  const { token_counts: counts } = rendered;
  return (
    <>
      {PARTS.map((part) => (
        <div key={part} className={classes.part}>
          <Group justify="space-between" gap="xs" mb={4}>
            <Group gap={8}>
              <Text size="sm" fw={550}>
                {fieldLabel(`instruction.${part}`)}
              </Text>
              <Badge color="gray">{ROLES[part]}</Badge>
            </Group>
            <Text size="xs" c="dimmed">
              {countText(counts[part], 'token')}
            </Text>
          </Group>
          {rendered[part] === '' ? (
            <Text size="sm" c="dimmed">
              Empty. This message is not sent.
            </Text>
          ) : (
            <pre
              className={classes.rendered}
              tabIndex={0}
              aria-label={`${fieldLabel(`instruction.${part}`)}, rendered`}
            >
              {rendered[part]}
            </pre>
          )}
        </div>
      ))}
      <Text size="xs" c="dimmed">
        {countText(counts.static + counts.state + counts.dynamic, 'token')} in total
      </Text>
    </>
  );
}
