import { ROTATION_OVERLAP_HOURS } from '@millwright/auth';
import { InvalidArgumentError, Option } from 'commander';

/** How long what is rotated works on. */
export const overlapOption = (): Option =>
  new Option('--overlap-hours <hours>', 'how long the old one works on, 0 to 720')
    .argParser(hours)
    .default(ROTATION_OVERLAP_HOURS);

function hours(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 720) throw new InvalidArgumentError('must be a whole number from 0 to 720.');
  return value;
}
