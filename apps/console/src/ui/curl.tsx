import { Anchor, Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../api/api.js';
import type { Area } from '../api/areas.js';
import type { Addresses } from '../api/admin-records.js';
import { CodeBlock } from './code-block.js';
import { curlOf, type CurlCall } from './curl-text.js';

const WITH_KEY = (
  <>
    Replace $KEY with an API key.{' '}
    <Anchor component={Link} to="/settings" inherit underline="always">
      Create one
    </Anchor>{' '}
    in Settings.
  </>
);
export interface CurlButtonProps {
  area: Area;
  calls: readonly (CurlCall & { title: string })[];
  /** Size of the button; `xs` for the header of a section. */
  size?: 'xs' | 'sm';
}

/** A button that shows, as curl commands, API calls for the records of the page. */
export function CurlButton({ area, calls, size = 'sm' }: CurlButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size={size}
        variant="subtle"
        color="gray"
        px="xs"
        leftSection={<IconTerminal2 size={16} stroke={1.7} />}
        onClick={open}
      >
        API
      </Button>
      <Modal opened={opened} onClose={close} title="Use the API" size="xl">
        <Calls area={area} calls={calls} />
      </Modal>
    </>
  );
}

function Calls({ area, calls }: Pick<CurlButtonProps, 'area' | 'calls'>) {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  if (!addresses.data) return null;
  const { base_url, runtime_url, prompt_api_url } = addresses.data;
  const base = { platform: base_url, runtime: runtime_url, prompt: prompt_api_url }[area];
  const header = area === 'prompt' ? 'api-key:' : undefined;
  return (
    <Stack gap="md">
      <Text size="sm">{WITH_KEY}</Text>
      {calls.map((call) => (
        <CodeBlock
          key={call.title}
          title={call.title}
          label={`call: ${call.title}`}
          code={curlOf(base, '$KEY', call, header)}
        />
      ))}
    </Stack>
  );
}
