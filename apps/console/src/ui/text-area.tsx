import { JsonInput, Textarea, type JsonInputProps, type TextareaProps } from '@mantine/core';
import classes from './text-area.module.css';

interface Rows {
  minRows: number;
  /** Number of lines above which the text scrolls. */
  maxRows?: number;
}

type Growing<Props> = Omit<Props, 'autosize' | 'minRows' | 'maxRows' | 'rows' | 'style' | 'classNames'> & Rows;

const UNLIMITED_ROWS = 1_000;
/** Number of lines in browsers without `field-sizing`. */
const FIXED_ROWS = 4;

/** CSS sets the height, because a script measures a wrong height while the window is resized. */
const growing = ({ minRows, maxRows = UNLIMITED_ROWS }: Rows) => ({
  rows: Math.min(maxRows, Math.max(minRows, FIXED_ROWS)),
  classNames: { input: classes.input },
  style: { '--least-rows': minRows, '--most-rows': maxRows },
});

/** A text area that grows with its text. `isCode`: monospace. */
export function TextArea({
  minRows,
  maxRows,
  isCode = false,
  ...props
}: Growing<TextareaProps> & { isCode?: boolean }) {
  return <Textarea {...props} {...growing({ minRows, maxRows })} data-code={isCode || undefined} />;
}

/** A JSON input that grows with its text. */
export function JsonArea({ minRows, maxRows, ...props }: Growing<JsonInputProps>) {
  return <JsonInput {...props} {...growing({ minRows, maxRows })} data-code />;
}
