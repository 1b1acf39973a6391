export interface Change {
  text: string;
  direction: 'more' | 'less' | 'same';
}

/** The change against the previous period; `undefined` when either value is unknown. */
export function changeOf(value: number | null, before: number | null): Change | undefined {
  if (value === null || before === null) return undefined;
  if (value === before) return { text: 'No change', direction: 'same' };
  const direction = value > before ? 'more' : 'less';
  if (before === 0) return { text: '0 before', direction };
  const ratio = value / before;
  if (ratio >= 10) return { text: `${Math.round(ratio).toLocaleString('en')}×`, direction };
  const percent = Math.abs(ratio - 1) * 100;
  if (percent < 1) return { text: 'No change', direction: 'same' };
  return { text: `${Math.round(percent)}%`, direction };
}
