import { Button, Group, NativeSelect, Skeleton, Stack, Table, TagsInput, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { areaResource, askArea } from '../../api/areas.js';
import type { GuardPolicy } from '../../api/platform-records.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { CurlButton } from '../../ui/curl.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { actionOf, ACTIONS, GUARDS, isAction, POINTS, withAction } from './guard-rules.js';

const PATH = '/api/v1/guards';

/** Of the chosen project. */
const policyOf = () => areaResource<GuardPolicy>('platform', PATH);

/** Form for the guard rules of the project: actions on secrets and personal data in runs. */
function GuardsPage() {
  const policy = useQuery({ ...policyOf(), refetchOnWindowFocus: false });
  return (
    <>
      <PageHeader
        title="Guards"
        text="What happens with secrets and personal data in runs of agents and prompts."
        actions={
          <>
            <CurlButton area="platform" calls={[{ title: 'Get the guards', path: PATH }]} />
            <AuditLogLink filters={{ resource: 'guards' }} />
          </>
        }
      />
      {policy.error && !policy.data && <Failure error={policy.error} retry={() => void policy.refetch()} />}
      {policy.isPending && <Skeleton height={300} radius="md" aria-busy="true" aria-label="Loading" />}
      {policy.data && <GuardsForm key={JSON.stringify(policy.data)} stored={policy.data} />}
    </>
  );
}

function GuardsForm({ stored }: { stored: GuardPolicy }) {
  const queries = useQueryClient();
  const [rules, setRules] = useState(stored.rules);
  const [countries, setCountries] = useState(stored.phone_countries);
  const isChanged =
    JSON.stringify(countries) !== JSON.stringify(stored.phone_countries) ||
    GUARDS.some(({ guard }) =>
      POINTS.some(({ point }) => actionOf(rules, guard, point) !== actionOf(stored.rules, guard, point)),
    );
  useUnsaved(isChanged);
  const save = useAction(() => askArea<GuardPolicy>('platform', 'PUT', PATH, { rules, phone_countries: countries }), {
    done: 'Saved. Applies to runs from now on.',
    onDone: (saved) => queries.setQueryData(policyOf().queryKey, saved),
  });
  return (
    <Section
      title="Rules"
      text="Flag: recorded in the audit log. Redact: removed before anything is stored or sent. Block: the run ends."
    >
      <Stack gap="lg">
        <Table.ScrollContainer minWidth={640}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Guard</Table.Th>
                {POINTS.map(({ point, label }) => (
                  <Table.Th key={point}>{label}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {GUARDS.map(({ guard, label, text }) => (
                <Table.Tr key={guard}>
                  <Table.Td>
                    <Text size="sm" fw={550}>
                      {label}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {text}
                    </Text>
                  </Table.Td>
                  {POINTS.map(({ point, label: pointLabel }) => (
                    <Table.Td key={point}>
                      <NativeSelect
                        aria-label={`${label}: ${pointLabel}`}
                        data={ACTIONS}
                        value={actionOf(rules, guard, point)}
                        onChange={({ currentTarget: { value } }) => {
                          if (isAction(value)) setRules(withAction(rules, guard, point, value));
                        }}
                      />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <TagsInput
          label="Countries"
          description="Two letters each, such as DE. Their national telephone numbers count, too."
          maxTags={10}
          value={countries}
          onChange={(values) => setCountries(values.map((value) => value.toUpperCase()))}
        />
        <Group gap="md">
          <Button loading={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
            Save
          </Button>
          <Text size="sm" c="dimmed">
            {stored.updated_at === null ? (
              'Never changed.'
            ) : (
              <>
                Changed <Time at={stored.updated_at} />
              </>
            )}
          </Text>
        </Group>
      </Stack>
    </Section>
  );
}

export { GuardsPage as Component };
