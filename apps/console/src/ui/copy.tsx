import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A button that copies a value; `label` names the value. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? 'Copied' : `Copy ${label}`}>
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.7} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CopyTextButton({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} stroke={1.7} />}
          data-autofocus
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
