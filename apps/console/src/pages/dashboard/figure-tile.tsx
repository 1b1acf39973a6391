import { Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Figure } from '../../api/admin-records.js';
import { Stat } from '../../ui/stat.js';
import { changeOf } from './change.js';
import classes from './figure-tile.module.css';
import { Sparkline } from './sparkline.js';

export interface FigureTileProps {
  label: string;
  figure: Figure | undefined;
  /** Labels of the points: hours or days. */
  names: readonly string[];
  text: (value: number | null) => string;
  /** Name of the period with which the figure is compared: "the 7 days before". */
  before: string;
  /** Whether a higher value is worse. */
  isBad?: boolean;
  note?: ReactNode;
  /** Address of the page with details of the figure. */
  to?: string | undefined;
}

/** A figure with its change and a chart. */
export function FigureTile({ label, figure, names, text, before, isBad = false, note, to }: FigureTileProps) {
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
        figure && (
          <Sparkline
            points={figure.points}
            names={names}
            text={text}
            color={isBad ? 'var(--mantine-color-orange-6)' : 'var(--mantine-color-mill-5)'}
          />
        )
      }
      {...(to !== undefined && { to })}
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
  if (!change) return value === null ? null : <span>No earlier data</span>;
  const { text, direction } = change;
  if (direction === 'same') return <span title={`Compared with ${before}`}>{text}</span>;
  const Arrow = direction === 'more' ? IconArrowUpRight : IconArrowDownRight;
  return (
    <Text
      span
      inherit
      className={classes.change}
      data-worse={isBad && direction === 'more'}
      title={`Compared with ${before}`}
    >
      <Arrow size={13} aria-label={direction === 'more' ? 'Up:' : 'Down:'} /> {text}
    </Text>
  );
}
