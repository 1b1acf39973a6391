import { Button, Group } from '@mantine/core';
import { IconColumns2, IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';

/** The conversation in one column of a workbench. */
interface BenchChat {
  turns: readonly unknown[];
  stop: () => void;
  clear: () => void;
}

export interface BenchButtonsProps {
  /** Label of the button that runs the columns. */
  label: string;
  chats: readonly BenchChat[];
  isReady: boolean;
  isWorking: boolean;
  isComparing: boolean;
  onRun: () => void;
  onCompare: () => void;
}

/** The buttons below the inputs of a workbench. */
export function BenchButtons({ label, chats, isReady, isWorking, isComparing, onRun, onCompare }: BenchButtonsProps) {
  return (
    <Group gap="xs">
      <Button
        leftSection={<IconPlayerPlay size={15} />}
        loading={isWorking}
        disabled={!isReady}
        onClick={onRun}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {label}
      </Button>
      {isWorking && (
        <Button
          variant="default"
          leftSection={<IconPlayerStopFilled size={14} />}
          onClick={() => chats.forEach((chat) => chat.stop())}
        >
          Stop
        </Button>
      )}
      <Button variant="default" leftSection={<IconColumns2 size={15} />} onClick={onCompare}>
        {isComparing ? 'One column' : 'Compare'}
      </Button>
      {chats.some(({ turns }) => turns.length > 0) && (
        <Button variant="default" onClick={() => chats.forEach((chat) => chat.clear())}>
          New conversation
        </Button>
      )}
    </Group>
  );
}
