// @ts-check
import { loadavg } from 'node:os';
import { median } from './median.mjs';

/**
 * @template Figures
 * @typedef {{ busy: number, sides: Record<string, Figures> }} Round `busy`: the machine's load before it
 */

/**
 * Measures all sides in each round, so that other load of the machine affects them alike: a ratio is made of two figures of one round.
 * A round that warms code and caches comes first and is dropped.
 *
 * @template Figures
 * @param {Record<string, (isWarming: boolean) => Promise<Figures>>} sides
 * @param {number} count
 * @returns {Promise<Round<Figures>[]>} from the calmest round to the busiest
 */
export async function inRounds(sides, count) {
  /** @type {Round<Figures>[]} */
  const rounds = [];
  for (let n = 0; n <= count; n += 1) {
    const busy = loadavg()[0] ?? 0;
    /** @type {Record<string, Figures>} */
    const figures = {};
    // The first side alternates, so that none benefits from the order.
    const turn = n % 2 === 0 ? Object.entries(sides) : Object.entries(sides).reverse();
    for (const [name, measure] of turn) figures[name] = await measure(n === 0);
    if (n > 0) rounds.push({ busy, sides: figures });
  }
  return calmFirst(rounds);
}

/** @template {{ busy: number }} Kind @param {Kind[]} rounds */
export const calmFirst = (rounds) => rounds.toSorted((a, b) => a.busy - b.busy);

/**
 * What one side measured, by what another did, in each round.
 *
 * @param {Round<any>[]} rounds @param {string} figure @param {string} side @param {string} base
 */
export const ratios = (rounds, figure, side, base) =>
  rounds.map(({ sides }) => (sides[side]?.[figure] ?? NaN) / (sides[base]?.[figure] ?? NaN));

/** @param {Round<any>[]} rounds @param {string} figure @param {string} side @returns {number[]} */
export const valuesOf = (rounds, figure, side) => rounds.map(({ sides }) => sides[side]?.[figure] ?? NaN);

/** A row for each side with the medians of those figures that it has. @param {Round<any>[]} rounds @param {string[]} figures */
export const roundsTable = (rounds, figures) =>
  Object.fromEntries(
    Object.entries(rounds[0]?.sides ?? {}).map(([side, measured]) => [
      side,
      Object.fromEntries(
        figures
          .filter((figure) => measured[figure] !== undefined)
          .map((figure) => [TITLES[figure] ?? figure, rounded(median(valuesOf(rounds, figure, side)))]),
      ),
    ]),
  );

/** @type {Record<string, string>} */
const TITLES = { cpu: 'CPU µs a request', perSecond: 'requests a second', p50: 'p50 ms', p99: 'p99 ms' };

/** Three digits that count. @param {number} value */
export const rounded = (value) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
