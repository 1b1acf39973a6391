import { Badge, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../ui/code-block.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import classes from './step.module.css';

export interface StepProps {
  title: string;
  text: ReactNode;
  /** Undefined: not known yet. */
  isDone: boolean | undefined;
  error: Error | null;
  /** The one to do now: its call is shown at once. */
  isNext?: boolean;
  /** The same from a program. */
  code?: string | undefined;
  children: ReactNode;
}

/** A step of the first run: what it is for, whether it is done, and the way to do it. */
export function Step({ title, text, isDone, error, isNext = false, code, children }: StepProps) {
  return (
    <Section
      title={title}
      actions={isDone !== undefined && <Badge color={isDone ? 'mill' : 'orange'}>{isDone ? 'Done' : 'Open'}</Badge>}
    >
      <Text size="sm" c="dimmed" maw={600} mb="sm">
        {text}
      </Text>
      {error && isDone === undefined ? (
        <Failure error={error} />
      ) : (
        <>
          {isDone === undefined && <Skeleton height={36} aria-busy="true" />}
          {isDone !== undefined && children}
          {code !== undefined && (
            <details className={classes.code} open={isNext}>
              <summary>The same with curl</summary>
              <CodeBlock label={`call: ${title}`} code={code} />
            </details>
          )}
        </>
      )}
    </Section>
  );
}
