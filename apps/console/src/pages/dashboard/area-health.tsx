import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { AreaHealth as Health, Items } from '../../api/admin-records.js';
import { Failure } from '../../ui/failure.js';
import { TextShape } from '../../ui/loading.js';
import { Section } from '../../ui/section.js';

const AGAIN_MS = 15_000;
const NAMES: Readonly<Record<Health['area'], string>> = {
  platform: 'Platform API',
  runtime: 'Runtime API',
  prompt: 'Prompt API',
};
const STATES: Readonly<Record<Health['state'], { label: string; color: string }>> = {
  answers: { label: 'Operational', color: 'mill' },
  silent: { label: 'Unreachable', color: 'red' },
  off: { label: 'Not deployed', color: 'gray' },
};

/** Shows whether admin-auth can reach each service. */
export function AreaHealth() {
  const areas = useQuery({ ...resource<Items<Health>>('/dashboard/areas'), refetchInterval: AGAIN_MS });
  return (
    <Section title="Services" text="Checked every 15 s.">
      {areas.error && !areas.data && <Failure error={areas.error} retry={() => void areas.refetch()} />}
      {areas.isPending && <TextShape lines={1} />}
      <Group gap="xl" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {areas.data?.items.map(({ area, state, ms }) => (
          <Group key={area} component="li" gap={8}>
            <Text size="sm">{NAMES[area]}</Text>
            <Badge color={STATES[state].color}>{STATES[state].label}</Badge>
            {ms !== null && (
              <Text size="xs" c="dimmed">
                {ms} ms
              </Text>
            )}
          </Group>
        ))}
      </Group>
    </Section>
  );
}
