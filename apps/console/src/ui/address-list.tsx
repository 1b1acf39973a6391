import { Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../api/api.js';
import type { Addresses } from '../api/admin-records.js';
import { CopyIcon } from './copy.js';
import { Facts } from './facts.js';
import { Failure } from './failure.js';
import { FactsShape } from './loading.js';

export function AddressList() {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  if (addresses.error) return <Failure error={addresses.error} retry={() => void addresses.refetch()} />;
  if (!addresses.data) return <FactsShape facts={3} />;
  const { base_url, runtime_url, prompt_api_url } = addresses.data;
  const rows = [
    ['Platform API', `${base_url}/api/v1`],
    ['Runtime API', runtime_url],
    ['Prompt API', `${prompt_api_url}/v1`],
  ] as const;
  return (
    <Facts
      facts={rows.map(([name, address]) => [
        name,
        <Group key={name} gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{address}</Code>
          <CopyIcon value={address} label={`address of the ${name}`} />
        </Group>,
      ])}
    />
  );
}
