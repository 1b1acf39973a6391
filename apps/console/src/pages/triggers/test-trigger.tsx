import { Button, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import { askArea } from '../../api/areas.js';
import type { Firing, Trigger } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { TextArea } from '../../ui/text-area.js';
import { useAction } from '../../ui/use-action.js';

export interface TestTriggerProps {
  /** Path of the trigger. */
  path: string;
  trigger: Trigger;
  onDone: () => void;
}

/** Fires a trigger now. For a webhook trigger, the user enters the body of the post. */
export function TestTrigger({ path, trigger: { kind, status }, onDone }: TestTriggerProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [body, setBody] = useState('{}');
  const fire = useAction(
    () => askArea<Firing>('platform', 'POST', `${path}/fire`, kind === 'webhook' ? { body } : {}),
    {
      refresh: QUERY_KEYS.triggers,
      done: 'Fired. See its firing.',
      onDone: () => {
        close();
        onDone();
      },
    },
  );
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBolt size={16} stroke={1.7} />}
        onClick={() => (kind === 'webhook' ? open() : fire.mutate())}
        loading={fire.isPending}
        disabled={status !== 'active'}
      >
        Fire now
      </Button>
      <Modal opened={isOpen} onClose={close} title="Fire now" size="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            fire.mutate();
          }}
        >
          <Stack gap="md">
            <TextArea
              label="Body"
              description="What a sender would post. It needs no signature here."
              minRows={6}
              maxRows={20}
              maxLength={100_000}
              isCode
              data-autofocus
              value={body}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
            <DialogActions close={close} isWorking={fire.isPending}>
              Fire
            </DialogActions>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
