const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** "812 B", "1.5 MiB". */
export function sizeText(bytes: number): string {
  const power = bytes < 1_024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1_024 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
