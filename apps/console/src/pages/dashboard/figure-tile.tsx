import { Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Figure } from '../../api/dashboard-records.js';
import { Stat } from '../../ui/stat.js';
import { changeOf } from './change.js';
import classes from './figure-tile.module.css';

/** Charts are most of the page's weight: the figures do not wait for them. */
const Sparkline = lazy(() => import('./sparkline.js'));

export interface FigureTileProps {
  label: string;
  figure: Figure | undefined;
  /** What each point is called. */
  names: readonly string[];
  text: (value: number | null) => string;
  /** What it is compared with: "the 7 days before". */
  before: string;
  /** More of it is worse. */
  isBad?: boolean;
  note?: ReactNode;
}

/** A figure, how it changed and how it went. */
export function FigureTile({ label, figure, names, text, before, isBad = false, note }: FigureTileProps) {
  return (
    <Stat
      label={label}
      value={figure && text(figure.value)}
      note={
        <>
          {figure && <ChangeText figure={figure} before={before} isBad={isBad} />}
          {note}
        </>
      }
      chart={
        <div className={classes.chart} aria-hidden>
          {figure && (
            <Suspense>
              <Sparkline
                points={figure.points}
                names={names}
                text={text}
                color={isBad ? 'var(--mantine-color-orange-6)' : 'var(--mantine-color-mill-5)'}
              />
            </Suspense>
          )}
        </div>
      }
    />
  );
}

function ChangeText({
  figure: { value, before: earlier },
  before,
  isBad,
}: {
  figure: Figure;
  before: string;
  isBad: boolean;
}) {
  const change = changeOf(value, earlier);
  if (!change) return <span>No comparison</span>;
  const { text, direction } = change;
  if (direction === 'same') return <span title={`As in ${before}`}>{text}</span>;
  const Arrow = direction === 'more' ? IconArrowUpRight : IconArrowDownRight;
  return (
    <Text
      span
      inherit
      className={classes.change}
      data-worse={isBad && direction === 'more'}
      title={`Against ${before}`}
    >
      <Arrow size={13} aria-label={direction === 'more' ? 'More than before:' : 'Less than before:'} /> {text}
    </Text>
  );
}
