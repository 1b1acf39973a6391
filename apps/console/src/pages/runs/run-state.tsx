import { Badge } from '@mantine/core';
import type { Run } from '../../api/runtime-records.js';
import { STATES } from './run-text.js';

export function RunState({ state }: Pick<Run, 'state'>) {
  const { label, color } = STATES[state];
  return <Badge color={color}>{label}</Badge>;
}
