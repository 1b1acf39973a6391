import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { withQuery } from '../../api/api.js';
import { askArea } from '../../api/areas.js';
import type { Label } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { DataTable, type DataTableProps } from '../../ui/data-table.js';
import { closeDialog, openDialog } from '../../ui/dialogs.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { usePromote } from './use-promote.js';

export interface LabelsProps {
  /** Path of the prompt. */
  path: string;
  newest: number;
  labels: Omit<DataTableProps<Label>['query'], 'data'> & { data?: Label[] | undefined };
}

/** A prompt's labels: names under which programs run a version. */
export function Labels({ path, newest, labels }: LabelsProps) {
  const promote = usePromote({ path, newest, labels: labels.data ?? [] });
  const remove = useAction(
    ({ name, reason }: { name: string; reason: string }) =>
      askArea('prompt', 'DELETE', withQuery(`${path}/label/${encodeURIComponent(name)}`, { reason })),
    { refresh: QUERY_KEYS.prompts, done: (_answer, { name }) => `${name} deleted.` },
  );
  const askToRemove = (label: Label) => {
    const modalId = openDialog({
      title: `Delete ${label.name}?`,
      children: (
        <Removal
          label={label}
          work={(reason) => remove.mutateAsync({ name: label.name, reason })}
          close={() => closeDialog(modalId)}
        />
      ),
    });
  };
  return (
    <Section
      title="Labels"
      text="Programs that ask for a label run the version it points to. Saving does not move labels."
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTag size={15} stroke={1.7} />}
          onClick={() => promote()}
          disabled={!labels.data}
        >
          Set label
        </Button>
      }
      flush
    >
      <DataTable<Label>
        label="Labels"
        columns={[
          {
            title: 'Label',
            render: ({ name, protected: isProtected }) => (
              <Text size="sm" fw={550} component="span">
                {name} {isProtected && <Badge color="yellow">Protected</Badge>}
              </Text>
            ),
          },
          { title: 'Version', render: ({ version }) => `Version ${version}` },
          { title: 'Updated', render: ({ updated }) => <Time at={updated} /> },
          { title: 'By', render: ({ author }) => <bdi>{author}</bdi> },
          {
            title: 'Actions',
            isActions: true,
            render: (label) => (
              <>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => promote({ name: label.name, version: newest })}
                  aria-label={`Move ${label.name}`}
                >
                  Move
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  c="var(--mantine-color-error)"
                  onClick={() => askToRemove(label)}
                  aria-label={`Delete ${label.name}`}
                >
                  Delete
                </Button>
              </>
            ),
          },
        ]}
        query={{ ...labels, data: labels.data && { items: labels.data } }}
        rowKey={({ name }) => name}
        empty={{
          title: 'No labels yet',
          text: 'Try the newest version, then point production at it. Programs that ask for production run it from then on.',
          action: (
            <Button onClick={() => promote({ name: 'production', version: newest })}>Promote to production</Button>
          ),
        }}
      />
    </Section>
  );
}

interface RemovalProps {
  label: Label;
  work: (reason: string) => Promise<unknown>;
  close: () => void;
}

function Removal({ label, work, close }: RemovalProps) {
  const [reason, setReason] = useState('');
  const [isWorking, setWorking] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setWorking(true);
    work(reason.trim())
      .then(close, () => undefined)
      .finally(() => setWorking(false));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          Programs that ask for this label are refused. Version {label.version} stays, and the label can be set again.
        </Text>
        {label.protected && (
          <TextArea
            label="Reason"
            description="This label is protected. The reason is kept in the audit log."
            withAsterisk
            minRows={2}
            maxLength={2_000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={isWorking}>
            Cancel
          </Button>
          <Button type="submit" color="red.8" loading={isWorking} disabled={label.protected && reason.trim() === ''}>
            Delete label
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
