import { Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState, type SubmitEvent } from 'react';
import { askArea } from '../../api/areas.js';
import type { Label } from '../../api/prompt-records.js';
import { TextArea } from '../../ui/text-area.js';
import { useAction } from '../../ui/use-action.js';
import { labelFault, USUAL_LABELS } from './label-names.js';
import { REFRESH } from './refresh.js';
import { VersionSelect } from './version-select.js';

export interface Promotion {
  name: string;
  version: number;
  reason: string;
}

export interface PromoteOptions {
  /** Of the prompt. */
  path: string;
  newest: number;
  labels: readonly Label[];
}

/** Points a label at a version, once it is said which, and why where the label is protected. */
export function usePromote({ path, newest, labels }: PromoteOptions) {
  const move = useAction(
    ({ name, version, reason }: Promotion) =>
      askArea<Label>('prompt', 'PUT', `${path}/label/${encodeURIComponent(name)}`, {
        version,
        ...(reason.trim() !== '' && { reason }),
      }),
    { refresh: REFRESH, done: ({ name, version }) => `${name} now points to version ${version}.` },
  );
  return (begin: { name?: string; version?: number } = {}) => {
    const modalId = modals.open({
      title: begin.name === undefined ? 'Set label' : `Move ${begin.name}`,
      children: (
        <PromotionForm
          labels={labels}
          newest={newest}
          begin={begin}
          work={(promotion) => move.mutateAsync(promotion)}
          close={() => modals.close(modalId)}
        />
      ),
    });
  };
}

interface PromotionFormProps {
  labels: readonly Label[];
  newest: number;
  begin: { name?: string; version?: number };
  work: (promotion: Promotion) => Promise<unknown>;
  close: () => void;
}

function PromotionForm({ labels, newest, begin, work, close }: PromotionFormProps) {
  const [name, setName] = useState(begin.name ?? '');
  const [version, setVersion] = useState(begin.version ?? newest);
  const [reason, setReason] = useState('');
  const [isWorking, setWorking] = useState(false);
  const before = labels.find((label) => label.name === name);
  const needsReason = before?.protected === true;
  const fault = labelFault(name);
  const isComplete = fault === null && (!needsReason || reason.trim() !== '');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    setWorking(true);
    work({ name, version, reason })
      .then(close, () => undefined)
      .finally(() => setWorking(false));
  };
  const names = [...new Set([...USUAL_LABELS, ...labels.map((label) => label.name)])];
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">Programs that ask for the label run this version from their next request.</Text>
        {begin.name === undefined && (
          <Autocomplete
            label="Label"
            description="Pick one, or type a name."
            data={names}
            value={name}
            onChange={setName}
            maxLength={64}
            openOnFocus={false}
            error={name === '' ? undefined : fault}
            data-autofocus
          />
        )}
        <VersionSelect
          label="Version"
          description={before ? `Currently version ${before.version}.` : 'Not set yet.'}
          newest={newest}
          value={version}
          onChange={setVersion}
          {...(begin.name !== undefined && { 'data-autofocus': true })}
        />
        <TextArea
          label="Reason"
          description={
            needsReason
              ? 'This label is protected. The reason is kept in the audit trail.'
              : 'Optional. Kept in the audit trail.'
          }
          withAsterisk={needsReason}
          minRows={2}
          maxRows={8}
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={isWorking}>
            Cancel
          </Button>
          <Button type="submit" loading={isWorking} disabled={!isComplete}>
            {before ? 'Move label' : 'Set label'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
