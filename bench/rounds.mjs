// @ts-check
import { loadavg } from 'node:os';
import { median } from './median.mjs';

/**
 * @template Figures
 * @typedef {{ busy: number, sides: Record<string, Figures> }} Round the figures of each side, and the machine's load average before the round
 */

/**
 * Measures all sides in each round, so that other load of the machine affects all sides alike: ratios are computed from two figures of the same
 * round. The first round only warms code and caches, and its figures are dropped.
 *
 * @template Figures
 * @param {Record<string, (isWarming: boolean) => Promise<Figures>>} sides
 * @param {number} count
 * @returns {Promise<Round<Figures>[]>} sorted by the machine's load, from the lowest to the highest
 */
export async function inRounds(sides, count) {
  /** @type {Round<Figures>[]} */
  const rounds = [];
  for (let n = 0; n <= count; n += 1) {
    const busy = loadavg()[0] ?? 0;
    /** @type {Record<string, Figures>} */
    const figures = {};
    // Every second round has the reverse order, so that no side benefits from its place in the order.
    const turn = n % 2 === 0 ? Object.entries(sides) : Object.entries(sides).reverse();
    for (const [name, measure] of turn) figures[name] = await measure(n === 0);
    if (n > 0) rounds.push({ busy, sides: figures });
  }
  return calmFirst(rounds);
}

/** @template {{ busy: number }} Kind @param {Kind[]} rounds */
export const calmFirst = (rounds) => rounds.toSorted((a, b) => a.busy - b.busy);

/**
 * Returns for each round the figure of `side` divided by the same figure of `base`.
 *
 * @param {Round<any>[]} rounds @param {string} figure @param {string} side @param {string} base
 */
export const ratios = (rounds, figure, side, base) =>
  rounds.map(({ sides }) => (sides[side]?.[figure] ?? NaN) / (sides[base]?.[figure] ?? NaN));

/** @param {Round<any>[]} rounds @param {string} figure @param {string} side @returns {number[]} */
export const valuesOf = (rounds, figure, side) => rounds.map(({ sides }) => sides[side]?.[figure] ?? NaN);

/**
 * Makes a table with a row for each side. A row has the median of each of these figures that the side has.
 *
 * @param {Round<any>[]} rounds @param {string[]} figures
 */
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

/** Rounds a value to three significant digits, or to a whole number from 100 on. @param {number} value */
export const rounded = (value) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
