import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

/** Names with values; `isStacked` puts each name above its value. */
export function Facts({ facts, isStacked = false }: { facts: readonly Fact[]; isStacked?: boolean }) {
  return (
    <dl className={classes.facts} data-stacked={isStacked}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
