import { Badge } from '@mantine/core';
import type { Delivery } from '../../api/platform-records.js';

export const DELIVERY_STATES = {
  pending: { label: 'Waiting', color: 'yellow' },
  delivered: { label: 'Delivered', color: 'mill' },
  failed: { label: 'Given up', color: 'red' },
  skipped: { label: 'Skipped', color: 'gray' },
} as const;

export function DeliveryState({ state }: Pick<Delivery, 'state'>) {
  return <Badge color={DELIVERY_STATES[state].color}>{DELIVERY_STATES[state].label}</Badge>;
}
