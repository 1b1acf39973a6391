import { Progress, Text } from '@mantine/core';
import type { Budget } from '../../api/platform-records.js';
import { amountText, spentShare } from './budget-text.js';

const WARNED_AT = 0.8;

/** The amount spent in the current period, and the amount reserved for calls in progress. */
export function BudgetBar({ budget }: { budget: Budget }) {
  const { unit, amount, window } = budget;
  const share = spentShare(budget);
  const color = share >= 1 ? 'red' : share >= WARNED_AT ? 'orange' : 'mill';
  const reserved = amount === 0 ? 0 : Math.min(1 - share, window.reserved / amount);
  return (
    <div>
      <Text size="sm">
        {amountText(unit, window.spent)} of {amountText(unit, amount)} ({Math.floor(share * 100)} %)
      </Text>
      <Progress.Root mt={4} miw={140}>
        <Progress.Section value={share * 100} color={color} aria-label="Spent" />
        <Progress.Section value={reserved * 100} color="gray" aria-label="Reserved" />
      </Progress.Root>
    </div>
  );
}
