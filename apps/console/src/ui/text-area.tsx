import { JsonInput, Textarea, type JsonInputProps, type TextareaProps } from '@mantine/core';
import type { CSSProperties } from 'react';
import classes from './text-area.module.css';

interface Rows {
  minRows: number;
  /** It scrolls beyond them. */
  maxRows?: number;
}

type Growing<Props> = Omit<Props, 'autosize' | 'minRows' | 'maxRows' | 'rows' | 'style' | 'classNames'> & Rows;

const UNLIMITED_ROWS = 1_000;
/** Shown by a browser in which it cannot grow. */
const FIXED_ROWS = 4;

/** The stylesheet does it, so that nothing is measured: a script's measure is wrong while the window changes its size. */
const growing = ({ minRows, maxRows = UNLIMITED_ROWS }: Rows) => ({
  rows: Math.min(maxRows, Math.max(minRows, FIXED_ROWS)),
  classNames: { input: classes.input },
  style: { '--least-rows': minRows, '--most-rows': maxRows } as CSSProperties,
});

/** Grows with its text. `isCode`: in letters of one width. */
export function TextArea({
  minRows,
  maxRows,
  isCode = false,
  ...props
}: Growing<TextareaProps> & { isCode?: boolean }) {
  return <Textarea {...props} {...growing({ minRows, maxRows })} data-code={isCode || undefined} />;
}

/** The same for JSON. */
export function JsonArea({ minRows, maxRows, ...props }: Growing<JsonInputProps>) {
  return <JsonInput {...props} {...growing({ minRows, maxRows })} data-code />;
}
