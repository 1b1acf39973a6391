import { Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Addresses } from '../../api/admin-records.js';
import { CodeBlock } from '../../ui/code-block.js';
import { clientGuides } from './mcp-clients.js';
import { Failure } from '../../ui/failure.js';

/** Slug of the built-in MCP server, whose tools give access to agents, skills, prompts and content. */
export const BUILT_IN_SERVER = 'platform';

export interface ConnectClientsProps {
  /** Slug of the server. */
  slug: string;
  name: string;
  variant?: 'default' | 'filled';
}

/** A button that shows how Claude, Cursor and other MCP clients use a server through the relay. */
export function ConnectClients({ slug, name, variant = 'default' }: ConnectClientsProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant={variant} leftSection={<IconPlugConnected size={16} stroke={1.7} />} onClick={open}>
        Connect
      </Button>
      <Modal opened={opened} onClose={close} title={`Connect a client to ${name}`} size="xl">
        <McpClients slug={slug} />
      </Modal>
    </>
  );
}

/** Shows how to connect each common MCP client to a server. */
export function McpClients({ slug }: { slug: string }) {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  if (addresses.error) return <Failure error={addresses.error} retry={() => void addresses.refetch()} />;
  if (!addresses.data) return null;
  const guides = clientGuides(slug, `${addresses.data.runtime_url}/api/v1/mcp/${slug}/mcp`);
  return (
    <Tabs defaultValue={guides[0]?.id ?? ''} keepMounted={false}>
      <Tabs.List mb="md">
        {guides.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {guides.map(({ id, name, text, link, code }) => (
        <Tabs.Panel key={id} value={id}>
          <Stack gap="sm">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm">{text}</Text>
              {link !== undefined && (
                <Button component="a" href={link} size="xs" variant="default" flex="none">
                  Open in {name}
                </Button>
              )}
            </Group>
            {code !== undefined && <CodeBlock label={`configuration for ${name}`} title={name} code={code} />}
            <Text size="xs" c="dimmed">
              The client acts for the user who signs in, with the permissions that they agree to. Calls are in the audit
              log.
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
