import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { confirm } from './confirm.js';
import { Section } from './section.js';
import { useAction } from './use-action.js';

export interface DeleteSectionProps {
  /** The record's kind in the singular: "skill". */
  noun: string;
  name: string;
  /** Explains further effects of the deletion. */
  consequence: ReactNode;
  work: () => Promise<unknown>;
  refresh: readonly (readonly string[])[];
  /** Address of the page to open afterwards. */
  to: string;
  verb?: keyof typeof DONE;
}

const DONE = { Delete: 'deleted', Remove: 'removed', Uninstall: 'uninstalled' } as const;

/** Deletes a record after the user typed its name. */
export function DeleteSection({ noun, name, consequence, work, refresh, to, verb = 'Delete' }: DeleteSectionProps) {
  const navigate = useNavigate();
  const remove = useAction(work, {
    refresh,
    done: `${name} was ${DONE[verb]}`,
    onDone: () => void navigate(to),
  });
  const ask = () =>
    confirm({
      title: `${verb} ${noun}?`,
      text: (
        <>
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          will be {DONE[verb]}. {consequence} This can&apos;t be undone.
        </>
      ),
      action: `${verb} ${noun}`,
      // The user has to type the name. If the name is long or has characters that are hard to type, the user has to type the verb instead.
      typed: /^[\x20-\x7e]{1,40}$/.test(name) ? name : verb.toLowerCase(),
      work: () => remove.mutateAsync(),
    });
  return (
    <Section title={`${verb} ${noun}`} tone="danger">
      <Text size="sm" mb="sm">
        {consequence}
      </Text>
      <Button variant="default" c="var(--mantine-color-error)" onClick={ask}>
        {verb} {noun}
      </Button>
    </Section>
  );
}
