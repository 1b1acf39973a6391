import { Badge, Text, Tooltip } from '@mantine/core';
import type { Model } from '../../api/platform-records.js';
import { exactTime, Time } from '../../ui/time.js';
import { failureOf } from './failure-of.js';

const STATES: Readonly<Record<Model['health']['state'], { label: string; color: string }>> = {
  healthy: { label: 'Healthy', color: 'mill' },
  failing: { label: 'Failing', color: 'red' },
  paused: { label: 'Paused', color: 'orange' },
  unknown: { label: 'Not called yet', color: 'gray' },
};

/** The state of the model and, while the model fails, its last failure. */
export function ModelHealth({ health: { state, last_failure, last_success_at } }: Pick<Model, 'health'>) {
  const { label, color } = STATES[state];
  const seen = last_success_at === null ? 'Never answered yet' : `Last answer ${exactTime(last_success_at)}`;
  return (
    <div>
      <Tooltip label={seen}>
        <Badge color={color} tabIndex={0}>
          {label}
        </Badge>
      </Tooltip>
      {last_failure && (state === 'failing' || state === 'paused') && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {failureOf(last_failure)}, <Time at={last_failure.at} />
        </Text>
      )}
    </div>
  );
}
