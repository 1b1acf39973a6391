import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlatformAnswers } from '../../api/answers/platform.js';
import { areaResource } from '../../api/areas.js';
import { Failure } from '../../ui/failure.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';

type Found = PlatformAnswers['searchMcpRegistry'];
export type ServerDraft = Found['items'][number]['drafts'][number];

const SHOWN = 10;

/** Lists, in one line, the values that the user has to add to a draft. */
const leftOpen = ({ inputs, headers }: ServerDraft): string =>
  [
    ...inputs.map(({ name }) => `{${name}}`),
    ...headers.filter(({ is_required: needed }) => needed).map(({ name }) => name),
  ].join(', ');

/** Lets the user choose a server of the configured MCP registry. The choice fills in the form. Renders nothing if no registry is configured. */
export function RegistryPicker({ onChoose }: { onChoose: (draft: ServerDraft) => void }) {
  const [search, setSearch] = useState('');
  const registry = useQuery(areaResource<PlatformAnswers['getMcpRegistry']>('platform', '/api/v1/mcp/registry'));
  const found = useQuery({
    ...areaResource<Found>('platform', '/api/v1/mcp/registry/servers', { search: search || undefined, limit: SHOWN }),
    enabled: typeof registry.data?.url === 'string',
    placeholderData: keepPreviousData,
  });
  if (typeof registry.data?.url !== 'string') return null;
  const items = found.data?.items ?? [];
  const error = found.error ?? (typeof found.data?.error === 'string' ? new Error(found.data.error) : null);
  return (
    <Section
      title="Choose from a registry"
      text={`Servers of ${new URL(registry.data.url).host}. A choice fills in the form below; nothing is added yet, and nobody has checked these servers for you.`}
    >
      <Stack gap="md">
        <SearchField label="Search the registry" placeholder="Part of a name" value={search} onSearch={setSearch} />
        {error && <Failure error={error} retry={() => void found.refetch()} />}
        {found.data && !error && items.length === 0 && (
          <Text size="sm" c="dimmed">
            No server has this in its name.
          </Text>
        )}
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map(({ name, title, description, version, is_deprecated: isDeprecated, drafts }) => (
            <Group key={`${name} ${version}`} component="li" justify="space-between" wrap="nowrap" align="flex-start">
              <div style={{ minWidth: 0 }}>
                <Group gap="xs">
                  <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {title ?? name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {version}
                  </Text>
                  {isDeprecated && (
                    <Badge size="xs" color="yellow" variant="light">
                      Deprecated
                    </Badge>
                  )}
                </Group>
                <Text size="sm" lineClamp={2}>
                  {description}
                </Text>
                {drafts.length === 0 && (
                  <Text size="xs" c="dimmed">
                    Runs on a computer only: it has no address.
                  </Text>
                )}
                {drafts.map((draft) => (
                  <Text key={draft.url} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {draft.url}
                    {leftOpen(draft) === '' ? '' : ` · to be entered: ${leftOpen(draft)}`}
                  </Text>
                ))}
              </div>
              <Group gap="xs" wrap="nowrap">
                {drafts.map((draft, index) => (
                  <Button
                    key={draft.url}
                    size="xs"
                    variant="default"
                    aria-label={`Use ${title ?? name}${drafts.length > 1 ? `, address ${index + 1}` : ''}`}
                    onClick={() => onChoose(draft)}
                  >
                    Use
                  </Button>
                ))}
              </Group>
            </Group>
          ))}
        </Stack>
        {(found.data?.next_cursor ?? null) !== null && (
          <Text size="xs" c="dimmed">
            The registry has more. Search for a part of the name.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
