import { ROTATION_OVERLAP_HOURS } from '@millwright/accounts';
import { InvalidArgumentError, Option } from 'commander';

/** Time for which the old key or secret stays valid after a rotation. */
export const overlapOption = (): Option =>
  new Option('--overlap-hours <hours>', 'hours that the old one goes on working, 0 to 720')
    .argParser(hours)
    .default(ROTATION_OVERLAP_HOURS);

function hours(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 720) throw new InvalidArgumentError('must be a whole number from 0 to 720.');
  return value;
}
