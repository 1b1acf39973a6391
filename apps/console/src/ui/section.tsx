import { Group, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './section.module.css';

export interface SectionProps {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** Whether the section has no padding, for a table that reaches the edges. */
  flush?: boolean;
  tone?: 'danger';
  /** Whether title and text are in one line, without content. */
  isLine?: boolean;
  children?: ReactNode;
}

export function Section({ title, text, actions, flush = false, tone, isLine = false, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section} data-tone={tone} data-line={isLine || undefined}>
      <Group className={classes.head} justify="space-between" align="flex-start" gap="sm">
        <div className={classes.words}>
          <Title order={2} id={id}>
            {title}
          </Title>
          {text !== undefined && (
            <Text size="sm" c="dimmed" className={classes.text}>
              {text}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  );
}

/** A section with a visually hidden title. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className={classes.section}>
      {children}
    </section>
  );
}
