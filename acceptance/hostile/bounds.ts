import { p99, type Answers, type Area } from './honest.js';
import type { Reading } from './readings.js';
import type { ServiceName } from '../harness/service.js';

/** What a platform's honest callers and processes show during one phase. */
export interface Phase {
  answers: Record<Area, Answers>;
  readings: Record<ServiceName, Reading>;
}

/** How much slower honest callers may be answered than just before the attack. */
const SLOWER = 3;
/** Milliseconds that no caller notices: a ratio of smaller times is noise. */
const UNNOTICED_MS = 50;
const GROWTH_MIB = 200;
/** Milliseconds by which an event loop may be late, beyond those of the quiet phase on a busy machine. */
const DELAY_MS = 100;

export interface Row {
  attack: string;
  service: ServiceName;
  errors: string;
  quietMs: string;
  attackedMs: string;
  growthMib: string;
  delayMs: string;
  broken: string;
}

const isArea = (name: ServiceName, answers: Phase['answers']): name is Area => name in answers;

/** A row of the table for each service, with the bounds that it broke. */
export function rowsOf(attack: string, quiet: Phase, attacked: Phase): Row[] {
  return (Object.keys(attacked.readings) as ServiceName[]).map((service) => {
    const [before, during] = [quiet.readings[service], attacked.readings[service]];
    const growth = during.memoryMib - before.memoryMib;
    const lateness = during.delayMs - before.delayMs;
    const broken = [
      ...(growth > GROWTH_MIB ? [`memory grew by more than ${GROWTH_MIB} MiB`] : []),
      ...(lateness > DELAY_MS ? [`event loop late by more than ${DELAY_MS} ms`] : []),
    ];
    const common = {
      attack,
      service,
      growthMib: growth.toFixed(0),
      delayMs: `${during.delayMs.toFixed(0)} (${before.delayMs.toFixed(0)})`,
    };
    if (!isArea(service, attacked.answers))
      return { ...common, errors: '', quietMs: '', attackedMs: '', broken: broken.join(', ') };
    const { errors, milliseconds } = attacked.answers[service];
    const [usual, slow] = [p99(quiet.answers[service].milliseconds), p99(milliseconds)];
    if (errors.length > 0) broken.push(`failed: ${[...new Set(errors)].slice(0, 3).join('; ')}`);
    if (slow > SLOWER * Math.max(usual, UNNOTICED_MS / SLOWER)) broken.push(`p99 more than ${SLOWER} times as long`);
    return {
      ...common,
      errors: `${errors.length} of ${milliseconds.length}`,
      quietMs: usual.toFixed(0),
      attackedMs: slow.toFixed(0),
      broken: broken.join(', '),
    };
  });
}

const HEADINGS: Row = {
  attack: 'Attack',
  service: 'service' as ServiceName,
  errors: 'errors',
  quietMs: 'p99 quiet ms',
  attackedMs: 'attacked ms',
  growthMib: 'memory +MiB',
  delayMs: 'loop late ms (quiet)',
  broken: 'broken bounds',
};

/** The rows in columns. */
export function tableOf(rows: readonly Row[]): string {
  const columns = Object.keys(HEADINGS) as (keyof Row)[];
  const widths = columns.map((column) => Math.max(...[HEADINGS, ...rows].map((row) => row[column].length)));
  return [HEADINGS, ...rows]
    .map((row) =>
      columns
        .map((column, n) => row[column].padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
