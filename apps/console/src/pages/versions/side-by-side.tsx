import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { DifferenceView } from './difference-view.js';
import { fieldLabel } from './field-label.js';
import type { FieldDifference, Line } from './difference.js';
import classes from './side-by-side.module.css';
import { sideRows } from './side-rows.js';

const WORDS: Readonly<Record<Line['kind'], string>> = { same: '', added: 'added: ', removed: 'removed: ' };

export interface SideBySideProps {
  differences: readonly FieldDifference[];
  /** Headings of the two columns. */
  before: string;
  after: string;
}

/** Two versions side by side, or one below the other on a narrow screen. */
export function SideBySide({ differences, before, after }: SideBySideProps) {
  const isNarrow = useMediaQuery('(max-width: 62em)');
  if (isNarrow) return <DifferenceView differences={differences} />;
  return differences.map(({ field, lines }) => (
    <div key={field} className={classes.part}>
      <Text size="sm" fw={550} mb={4}>
        {fieldLabel(field)}
      </Text>
      <div className={classes.sides} role="group" aria-label={`Difference of ${fieldLabel(field)}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{before}</th>
              <th scope="col">{after}</th>
            </tr>
          </thead>
          <tbody>
            {sideRows(lines).map((row, index) => (
              <tr key={index}>
                <Side line={row.before} />
                <Side line={row.after} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  ));
}

function Side({ line }: { line: Line | undefined }) {
  if (!line) return <td />;
  return (
    <td data-kind={line.kind}>
      <span className={classes.word}>{WORDS[line.kind]}</span>
      {line.text || '\u00a0'}
    </td>
  );
}
