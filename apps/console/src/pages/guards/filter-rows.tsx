import { Alert, Anchor, Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { List } from '../../api/admin-records.js';
import { areaResource } from '../../api/areas.js';
import type { Plugin } from '../../api/platform-records.js';
import { failureText } from '../../ui/failure-text.js';
import { filterFault, newFilterRule, withPoint, type FilterRule } from './filter-rules.js';
import { POINTS } from './guard-rules.js';

/** Maximum number of external guards of one policy. */
const MOST_FILTERS = 5;

interface FilterRowsProps {
  rules: readonly FilterRule[];
  onChange: (rules: FilterRule[]) => void;
}

/** External guards of a policy: plugins that decide about texts. */
export function FilterRows({ rules, onChange }: FilterRowsProps) {
  const plugins = useQuery(
    areaResource<List<Plugin>>('platform', '/api/v1/plugins', { sort: 'name', order: 'asc', per_page: 100 }),
  );
  if (!plugins.data)
    return plugins.error ? (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {failureText(plugins.error)}
      </Text>
    ) : null;
  const all = plugins.data.items.filter(({ type }) => type === 'filter');
  const unused = all.filter(({ id, status }) => status === 'active' && rules.every((rule) => rule.plugin_id !== id));
  const set = (changed: FilterRule) =>
    onChange(rules.map((rule) => (rule.plugin_id === changed.plugin_id ? changed : rule)));
  return (
    <Stack gap="md">
      {rules.map((rule) => (
        <FilterRow
          key={rule.plugin_id}
          rule={rule}
          plugin={all.find(({ id }) => id === rule.plugin_id)}
          onChange={set}
          onRemove={() => onChange(rules.filter((other) => other !== rule))}
        />
      ))}
      {unused.length > 0 && rules.length < MOST_FILTERS && (
        <NativeSelect
          label="Add external guard"
          data={[{ value: '', label: 'Choose' }, ...unused.map(({ id, name }) => ({ value: id, label: name }))]}
          value=""
          onChange={({ currentTarget: { value } }) => {
            const plugin = unused.find(({ id }) => id === value);
            if (plugin) onChange([...rules, newFilterRule(plugin)]);
          }}
        />
      )}
      {all.length === 0 && (
        <Text size="sm" c="dimmed">
          None installed.{' '}
          <Anchor component={Link} to="/build/plugins/new" size="sm">
            Install a plugin
          </Anchor>{' '}
          of type External guard first.
        </Text>
      )}
    </Stack>
  );
}

interface FilterRowProps {
  rule: FilterRule;
  plugin: Plugin | undefined;
  onChange: (rule: FilterRule) => void;
  onRemove: () => void;
}

function FilterRow({ rule, plugin, onChange, onRemove }: FilterRowProps) {
  const fault = filterFault(rule, plugin);
  const name = plugin?.name ?? rule.plugin_id;
  return (
    <Stack gap="xs" role="group" aria-label={name}>
      <Group justify="space-between">
        <Anchor component={Link} to={`/build/plugins/${rule.plugin_id}`} size="sm" fw={550}>
          <bdi>{name}</bdi>
        </Anchor>
        <Button variant="subtle" size="xs" color="red" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </Group>
      {fault !== undefined && (
        <Alert color="orange" py="xs">
          <Group justify="space-between">
            <Text size="sm">{fault}</Text>
            {plugin?.status === 'active' && (
              <Button size="xs" variant="default" onClick={() => onChange({ ...rule, version: plugin.version })}>
                Approve version {plugin.version}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <Group gap="lg">
        {POINTS.map(({ point, label }) => (
          <Checkbox
            key={point}
            label={label}
            checked={rule.points.includes(point)}
            onChange={({ currentTarget: { checked } }) => onChange(withPoint(rule, point, checked))}
          />
        ))}
        <NativeSelect
          aria-label={`${name}: on failure`}
          data={[
            { value: 'block', label: 'On failure: block' },
            { value: 'allow', label: 'On failure: allow' },
          ]}
          value={rule.on_failure}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...rule, on_failure: value === 'allow' ? 'allow' : 'block' })
          }
        />
      </Group>
    </Stack>
  );
}
