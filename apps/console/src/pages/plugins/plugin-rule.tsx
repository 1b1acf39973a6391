import { Alert, Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { areaResource, askArea } from '../../api/areas.js';
import type { PluginRule } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { TextShape } from '../../ui/loading.js';
import { RULES } from '../tool-rules/rule-text.js';

const POLICY = 'policy';

const CHOICES = [
  ...Object.entries(RULES).map(([value, { label, text }]) => ({ value, label: `${label}: ${text.toLowerCase()}` })),
  { value: POLICY, label: 'Tool policy of the project' },
];

const ruleOf = (path: string) => areaResource<PluginRule>('platform', `${path}/rule`);

/** Whether calls of a plugin wait for a person. `path`: path of the plugin. */
export function PluginRuleSection({ path }: { path: string }) {
  const rule = useQuery({ ...ruleOf(path), refetchOnWindowFocus: false });
  return (
    <Section title="Rule" text="Whether agents call this plugin by themselves.">
      {rule.error && !rule.data && <Failure error={rule.error} retry={() => void rule.refetch()} />}
      {rule.isPending && <TextShape lines={2} />}
      {rule.data && <RuleForm key={JSON.stringify(rule.data)} path={path} stored={rule.data} />}
    </Section>
  );
}

function RuleForm({ path, stored }: { path: string; stored: PluginRule }) {
  const queries = useQueryClient();
  const isStale = stored.rule !== null && !stored.is_current;
  const [rule, setRule] = useState<PluginRule['rule']>(stored.rule);
  const [needsOther, setNeedsOther] = useState(stored.other_decider);
  const [repeatable, setRepeatable] = useState(stored.repeatable);
  const isChanged = rule !== stored.rule || needsOther !== stored.other_decider || repeatable !== stored.repeatable;
  useUnsaved(isChanged);
  const save = useAction(
    () => askArea<PluginRule>('platform', 'PUT', `${path}/rule`, { rule, other_decider: needsOther, repeatable }),
    {
      refresh: QUERY_KEYS.plugins,
      done: 'Saved. Applies from the next call.',
      onDone: (saved) => queries.setQueryData(ruleOf(path).queryKey, saved),
    },
  );
  return (
    <Stack gap="md">
      {isStale && (
        <Alert color="orange" py="xs">
          The plugin has changed since its rule was set. Check the rule, and save it again. Now:{' '}
          {RULES[stored.effective].label}.
        </Alert>
      )}
      <NativeSelect
        label="Calls"
        {...(rule === null && { description: `Now: ${RULES[stored.effective].label}` })}
        data={CHOICES}
        value={rule ?? POLICY}
        onChange={({ currentTarget: { value } }) =>
          setRule(value === 'allow' || value === 'ask' || value === 'deny' ? value : null)
        }
      />
      <Checkbox
        label="Second person"
        description="Someone other than the requester has to approve."
        checked={needsOther}
        onChange={(event) => setNeedsOther(event.currentTarget.checked)}
      />
      <Checkbox
        label="Repeatable"
        description="A call whose outcome is unknown is made again, until the plugin changes."
        checked={repeatable}
        onChange={(event) => setRepeatable(event.currentTarget.checked)}
      />
      <Group>
        <Button
          variant="default"
          size="xs"
          loading={save.isPending}
          disabled={!isChanged && !isStale}
          onClick={() => save.mutate()}
        >
          Save rule
        </Button>
      </Group>
    </Stack>
  );
}
