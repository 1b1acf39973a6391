import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './stat.module.css';

export interface StatProps {
  label: string;
  value: number | string | undefined;
  note?: ReactNode;
  /** Address of the page that the figure links to. */
  to?: string;
  /** Chart of the figure's history. */
  chart?: ReactNode;
}

export function Stat({ label, value, note, to, chart }: StatProps) {
  const content = (
    <>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton height={26} width={60} mt={6} />
      ) : (
        <div className={classes.value}>{typeof value === 'number' ? value.toLocaleString('en') : value}</div>
      )}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
      {chart}
    </>
  );
  return to === undefined ? (
    <div className={classes.stat}>{content}</div>
  ) : (
    <Link to={to} className={classes.stat}>
      {content}
    </Link>
  );
}
