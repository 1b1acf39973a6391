/** Model cost; unknown where a model has no price. */
export function costText(usd: number | null): string {
  if (usd === null) return 'unknown';
  return usd.toLocaleString('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: usd !== 0 && usd < 1 ? 4 : 2,
  });
}
