import { Skeleton } from '@mantine/core';
import classes from './form-shape.module.css';

/** Placeholder of a record's form: labels with their inputs. */
export function FormShape() {
  return (
    <div className={classes.shape} aria-busy="true" aria-label="Loading">
      {[34, 64, 120].map((height) => (
        <div key={height}>
          <Skeleton height={11} width={110} mb={8} />
          <Skeleton height={height} radius={6} />
        </div>
      ))}
    </div>
  );
}
