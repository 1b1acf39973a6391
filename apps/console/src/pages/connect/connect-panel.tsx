import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resource } from '../../api/api.js';
import type { Addresses, Items, Me, Scope } from '../../api/admin-records.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Failure } from '../../ui/failure.js';
import { TextShape } from '../../ui/loading.js';
import { NewKey } from '../settings/new-key.js';
import { PRESETS } from '../settings/scope-presets.js';
import { BUILT_IN_SERVER, McpClients } from './connect-clients.js';
import { programsOf, type ConnectTarget } from './program-code.js';

/** Shows programs in several languages and the configuration of MCP clients. The user can make the API key for the programs here. */
export function ConnectPanel({ target }: { target: ConnectTarget }) {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  const [key, setKey] = useState<string>();
  if (addresses.error) return <Failure error={addresses.error} retry={() => void addresses.refetch()} />;
  if (!addresses.data) return <TextShape lines={8} />;
  const tool = target.kind === 'agent' ? `ask_${target.slug}` : undefined;
  return (
    <Stack gap="md">
      <KeyOfPrograms presets={PRESETS_OF[target.kind]} value={key} onChange={setKey} />
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="md">
          {programsOf(target, addresses.data, key ?? '$KEY').map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
          {target.kind !== 'prompt' && <Tabs.Tab value="mcp">MCP</Tabs.Tab>}
        </Tabs.List>
        {programsOf(target, addresses.data, key ?? '$KEY').map(({ id, name, install, code }) => (
          <Tabs.Panel key={id} value={id}>
            <Stack gap="sm">
              {install !== undefined && <CodeBlock label={`installation for ${name}`} title="Install" code={install} />}
              <CodeBlock label={`program for ${name}`} title="Program" code={code} />
            </Stack>
          </Tabs.Panel>
        ))}
        {target.kind !== 'prompt' && (
          <Tabs.Panel value="mcp">
            <Stack gap="sm">
              <Text size="sm">
                {tool === undefined
                  ? 'MCP clients get your agents and the search of your content as tools, and your skills as prompts.'
                  : `MCP clients get this agent as the tool ${tool} of the built-in server.`}
              </Text>
              <McpClients slug={BUILT_IN_SERVER} />
            </Stack>
          </Tabs.Panel>
        )}
      </Tabs>
    </Stack>
  );
}

/** The presets of scopes for a key, by target. A key for an agent also needs `prompts`: OpenAI's SDK calls agents through the prompt API. */
const PRESETS_OF = { agent: ['agents', 'prompts'], prompt: ['prompts'], installation: ['read'] };

interface KeyOfProgramsProps {
  presets: readonly string[];
  /** The secret of a key that was made in this panel. */
  value: string | undefined;
  onChange: (key: string) => void;
}

function KeyOfPrograms({ presets, value, onChange }: KeyOfProgramsProps) {
  const me = useQuery(resource<Me>('/me'));
  const scopes = useQuery(resource<Items<Scope>>('/scopes'));
  const all = scopes.data?.items.filter(({ keys_only }) => !keys_only).map(({ scope }) => scope) ?? [];
  const [opened, { open, close }] = useDisclosure();
  const chosen = PRESETS.filter((preset) => presets.includes(preset.value));
  if (value !== undefined)
    return (
      <Alert color="teal" title="The programs below use your new API key">
        Copy them now: the key is not shown again. You can revoke it in Settings.
      </Alert>
    );
  return (
    <Group justify="space-between">
      <Text size="sm">Replace $KEY with an API key, or create one for these programs.</Text>
      <Button size="xs" variant="default" onClick={open} disabled={!me.data || scopes.isPending}>
        Create API key
      </Button>
      {me.data && (
        <NewKey
          kind="api_key"
          me={me.data}
          scopes={[...new Set(chosen.flatMap(({ scopesOf }) => scopesOf(all)))]}
          opened={opened}
          close={close}
          onIssued={({ key }) => onChange(key)}
        />
      )}
    </Group>
  );
}
