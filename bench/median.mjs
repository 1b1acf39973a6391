// @ts-check

/** @param {ArrayLike<number>} values */
export const median = (values) => quantile(values, 0.5);

/** @param {ArrayLike<number>} values @param {number} share between 0 and 1 */
export function quantile(values, share) {
  const sorted = Array.from(values).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
