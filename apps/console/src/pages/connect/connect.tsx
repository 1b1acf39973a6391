import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnected } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { TextShape } from '../../ui/loading.js';
import type { ConnectTarget } from './program-code.js';

const ConnectPanel = lazy(async () => ({ default: (await import('./connect-panel.js')).ConnectPanel }));

export interface ConnectProps {
  target: ConnectTarget;
  /** Name of the agent or prompt. */
  name: string;
}

/** A button that shows how programs and MCP clients use an agent or a prompt. */
export function Connect({ target, name }: ConnectProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconPlugConnected size={16} stroke={1.7} />} onClick={open}>
        Connect
      </Button>
      <Modal opened={opened} onClose={close} title={`Connect to ${name}`} size="xl">
        <Suspense fallback={<TextShape lines={8} />}>
          <ConnectPanel target={target} />
        </Suspense>
      </Modal>
    </>
  );
}
