import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { confirm } from './confirm.js';
import { Section } from './section.js';
import { useAction } from './use-action.js';

export interface DeleteSectionProps {
  /** One of them: "skill". */
  noun: string;
  name: string;
  /** What goes with it. */
  consequence: ReactNode;
  work: () => Promise<unknown>;
  refresh: readonly (readonly string[])[];
  /** Where there is something to see afterwards. */
  to: string;
  verb?: string;
}

/** Deletes a record, once its name was typed. */
export function DeleteSection({ noun, name, consequence, work, refresh, to, verb = 'Delete' }: DeleteSectionProps) {
  const navigate = useNavigate();
  const remove = useAction(work, {
    refresh,
    done: `The ${noun} is gone.`,
    onDone: () => void navigate(to),
  });
  const ask = () =>
    confirm({
      title: `${verb} this ${noun}?`,
      text: (
        <>
          <bdi>{name}</bdi>: {consequence} This cannot be undone.
        </>
      ),
      action: `${verb} for good`,
      // Nobody types a name of many letters, or one that no keyboard has.
      typed: /^[\x20-\x7e]{1,40}$/.test(name) ? name : verb.toLowerCase(),
      work: () => remove.mutateAsync(),
    });
  return (
    <Section title={`${verb} the ${noun}`} tone="danger">
      <Text size="sm" mb="sm">
        {consequence}
      </Text>
      <Button variant="default" c="var(--mantine-color-error)" onClick={ask}>
        {verb}
      </Button>
    </Section>
  );
}
