import { Autocomplete, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { askArea } from '../../api/areas.js';
import type { Label } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { closeDialog, openDialog } from '../../ui/dialogs.js';
import { TextArea } from '../../ui/text-area.js';
import { useAction } from '../../ui/use-action.js';
import { VersionSelect } from './version-select.js';

/** Suggested labels. `production` is protected by default. */
const USUAL_LABELS = ['production', 'staging'] as const;

/** Returns the fault of a label's name, or null. */
function labelFault(name: string): string | null {
  if (name === '') return 'Enter a name.';
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? null
    : 'A label has letters, digits, ".", "_" and "-", and begins with a letter or digit.';
}

export interface Promotion {
  name: string;
  version: number;
  reason: string;
}

export interface PromoteOptions {
  /** Path of the prompt. */
  path: string;
  newest: number;
  labels: readonly Label[];
}

/** A dialog that moves a label to a version. A protected label needs a reason. */
export function usePromote({ path, newest, labels }: PromoteOptions) {
  const move = useAction(
    ({ name, version, reason }: Promotion) =>
      askArea<Label>('prompt', 'PUT', `${path}/label/${encodeURIComponent(name)}`, {
        version,
        ...(reason.trim() !== '' && { reason }),
      }),
    { refresh: QUERY_KEYS.prompts, done: ({ name, version }) => `${name} now points to version ${version}.` },
  );
  return (begin: { name?: string; version?: number } = {}) => {
    const modalId = openDialog({
      title: begin.name === undefined ? 'Set label' : `Move ${begin.name}`,
      children: (
        <PromotionForm
          labels={labels}
          newest={newest}
          begin={begin}
          work={(promotion) => move.mutateAsync(promotion)}
          close={() => closeDialog(modalId)}
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
              ? 'This label is protected. The reason is kept in the audit log.'
              : 'Optional. Kept in the audit log.'
          }
          withAsterisk={needsReason}
          minRows={2}
          maxRows={8}
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <DialogActions close={close} isWorking={isWorking} isDisabled={!isComplete}>
          {before ? 'Move label' : 'Set label'}
        </DialogActions>
      </Stack>
    </form>
  );
}
