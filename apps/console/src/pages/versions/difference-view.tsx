import { Text } from '@mantine/core';
import classes from './difference-view.module.css';
import { fieldLabel } from './field-label.js';
import type { FieldDifference, Line } from './difference.js';

const SIGNS: Readonly<Record<Line['kind'], string>> = { same: ' ', added: '+', removed: '−' };
const WORDS: Readonly<Record<Line['kind'], string>> = { same: '', added: 'added: ', removed: 'removed: ' };

/** A difference whose lines are marked with signs as well as colours. */
export function DifferenceView({ differences }: { differences: readonly FieldDifference[] }) {
  return differences.map(({ field, lines }) => (
    <div key={field} className={classes.field}>
      <Text size="sm" fw={550} mb={4}>
        {fieldLabel(field)}
      </Text>
      <div className={classes.lines} role="group" aria-label={`Difference of ${fieldLabel(field)}`} tabIndex={0}>
        {lines.map(({ kind, text }, index) => (
          <div key={index} className={classes.line} data-kind={kind}>
            <span aria-hidden className={classes.sign}>
              {SIGNS[kind]}
            </span>
            <span>
              <span className={classes.word}>{WORDS[kind]}</span>
              {text || '\u00a0'}
            </span>
          </div>
        ))}
      </div>
    </div>
  ));
}
