import type { Area, HonestAnswers } from './children.js';
import { p99 } from './honest.js';
import type { Readings } from './readings.js';
import type { ServiceName } from '../harness/service.js';

/** Measurements of an installation's honest callers and processes during one phase. */
export interface Phase {
  answers: HonestAnswers;
  readings: Readings;
}

/** Limit of the ratio of honest callers' response times during an attack to those before it. */
const SLOWER = 3;
/** Response times up to this number of milliseconds are accepted without a comparison: no caller notices them, and their ratios are noise. */
const UNNOTICED_MS = 50;
const GROWTH_MIB = 200;
/** Maximum time in milliseconds for which an event loop may be blocked, not counting time without a core. */
const BLOCKED_MS = 100;
export interface Row {
  attack: string;
  service: ServiceName | 'PostgreSQL' | 'machine';
  errors: string;
  quietMs: string;
  attackedMs: string;
  growthMib: string;
  delayMs: string;
  blockedMs: string;
  cores: string;
  broken: string;
}

const isArea = (name: ServiceName, answers: Phase['answers']): name is Area => name in answers;
const timesOf = (phases: readonly Phase[], area: Area) => phases.flatMap(({ answers }) => answers[area].milliseconds);
const most = (values: readonly number[]) => Math.max(...values);
const change = (during: number, before: number, digits = 0) => `${during.toFixed(digits)} (${before.toFixed(digits)})`;

/** Returns a row of the table for each service, with the limits that the service exceeded. `quiet`: the phases before the attack. */
export function rowsOf(attack: string, quiet: readonly Phase[], attacked: Phase): Row[] {
  const before = (name: ServiceName, of: 'memoryMib' | 'delayMs' | 'blockedMs' | 'cores') =>
    most(quiet.map(({ readings }) => readings.services[name][of]));
  const rows = (Object.keys(attacked.readings.services) as ServiceName[]).map((service): Row => {
    const during = attacked.readings.services[service];
    const growth = during.memoryMib - before(service, 'memoryMib');
    const broken = [
      ...(growth > GROWTH_MIB ? [`memory grew by more than ${GROWTH_MIB} MiB`] : []),
      ...(during.blockedMs > BLOCKED_MS ? [`event loop stood still for more than ${BLOCKED_MS} ms`] : []),
    ];
    const common = {
      attack,
      service,
      growthMib: growth.toFixed(0),
      delayMs: change(during.delayMs, before(service, 'delayMs')),
      blockedMs: change(during.blockedMs, before(service, 'blockedMs')),
      cores: change(during.cores, before(service, 'cores'), 2),
    };
    if (!isArea(service, attacked.answers))
      return { ...common, errors: '', quietMs: '', attackedMs: '', broken: broken.join(', ') };
    const { errors, milliseconds } = attacked.answers[service];
    const [usual, slow] = [p99(timesOf(quiet, service)), p99(milliseconds)];
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
  const coresOf = (of: 'databaseCores' | 'machineCores') =>
    change(attacked.readings[of], most(quiet.map(({ readings }) => readings[of])), 2);
  return [
    ...rows,
    { ...NOTHING, attack, service: 'PostgreSQL', cores: coresOf('databaseCores') },
    { ...NOTHING, attack, service: 'machine', cores: coresOf('machineCores') },
  ];
}

const NOTHING = { errors: '', quietMs: '', attackedMs: '', growthMib: '', delayMs: '', blockedMs: '', broken: '' };

const HEADINGS: Record<keyof Row, string> = {
  attack: 'Attack',
  service: 'service',
  errors: 'errors',
  quietMs: 'p99 quiet ms',
  attackedMs: 'attacked ms',
  growthMib: 'memory +MiB',
  delayMs: 'loop late ms (quiet)',
  blockedMs: 'of it its own',
  cores: 'cores (quiet)',
  broken: 'broken bounds',
};

/** Formats the rows in columns. */
export function tableOf(rows: readonly Row[]): string {
  const columns = Object.keys(HEADINGS) as (keyof Row)[];
  const lines = [HEADINGS, ...rows];
  const widths = columns.map((column) => Math.max(...lines.map((row) => row[column].length)));
  return lines
    .map((row) =>
      columns
        .map((column, n) => row[column].padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
