import { Button, Group, NativeSelect, Stack, Table, TagsInput, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { areaResource, askArea } from '../../api/areas.js';
import type { GuardPolicy } from '../../api/platform-records.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { FilterRows } from './filter-rows.js';
import { filterRulesOf } from './filter-rules.js';
import { actionOf, actionsFrom, GUARDS, isAction, POINTS, stricterAction, withAction } from './guard-rules.js';

export const PROJECT_GUARDS = '/api/v1/guards';

/** The guards of the chosen project, or of an agent. */
export const policyAt = (path: string) => areaResource<GuardPolicy>('platform', path);

interface GuardsFormProps {
  path: string;
  stored: GuardPolicy;
  /** The rules of the project. The rules of an agent can only be stricter. */
  bounds?: GuardPolicy['rules'];
}

/** Form for guard rules of a project or an agent. */
export function GuardsForm({ path, stored, bounds = {} }: GuardsFormProps) {
  const queries = useQueryClient();
  const [rules, setRules] = useState(stored.rules);
  const [countries, setCountries] = useState(stored.phone_countries);
  const [filters, setFilters] = useState(filterRulesOf(stored));
  const isChanged =
    JSON.stringify(filters) !== JSON.stringify(filterRulesOf(stored)) ||
    JSON.stringify(countries) !== JSON.stringify(stored.phone_countries) ||
    GUARDS.some(({ guard }) =>
      POINTS.some(({ point }) => actionOf(rules, guard, point) !== actionOf(stored.rules, guard, point)),
    );
  useUnsaved(isChanged);
  /** Returns the rules to save. An action that is less strict than the project's current action is replaced by the project's action. */
  const stated = () =>
    GUARDS.flatMap(({ guard }) => POINTS.map(({ point }) => [guard, point] as const))
      .filter(([guard, point]) => actionOf(rules, guard, point) !== 'off')
      .reduce(
        (all, [guard, point]) => withAction(all, guard, point, stricterAction(rules, bounds, guard, point)),
        rules,
      );
  const save = useAction(
    () => askArea<GuardPolicy>('platform', 'PUT', path, { rules: stated(), phone_countries: countries, filters }),
    {
      done: 'Saved. Applies to runs from now on.',
      onDone: (saved) => queries.setQueryData(policyAt(path).queryKey, saved),
    },
  );
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
                        data={actionsFrom(actionOf(bounds, guard, point))}
                        value={stricterAction(rules, bounds, guard, point)}
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
        <Stack gap="xs">
          <Text size="sm" fw={550} component="h3">
            External guards
          </Text>
          <Text size="sm" c="dimmed">
            Services that decide about texts. A changed one has to be approved again.
          </Text>
          <FilterRows rules={filters} onChange={setFilters} />
        </Stack>
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
