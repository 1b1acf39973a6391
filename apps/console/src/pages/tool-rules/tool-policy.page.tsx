import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { areaResource, askArea } from '../../api/areas.js';
import type { ToolPolicy } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { CurlButton } from '../../ui/curl.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { ChoicesShape } from '../../ui/loading.js';
import { UNMARKED } from './rule-text.js';

const PATH = '/api/v1/tool-policy';

/** A query for the policy of the chosen project. */
const policyOf = () => areaResource<ToolPolicy>('platform', PATH);

const isChoice = (value: string): value is ToolPolicy['unmarked_tools'] => Object.hasOwn(UNMARKED, value);

/** The policy for the project's tools without a rule. */
function ToolPolicyPage() {
  const policy = useQuery({ ...policyOf(), refetchOnWindowFocus: false });
  return (
    <>
      <PageHeader
        title="Tool policy"
        text="Whether agents call tools without a rule of their own by themselves."
        actions={
          <>
            <CurlButton area="platform" calls={[{ title: 'Get the tool policy', path: PATH }]} />
            <AuditLogLink filters={{ resource: 'tool-policy' }} />
          </>
        }
      />
      {policy.error && !policy.data && <Failure error={policy.error} retry={() => void policy.refetch()} />}
      {policy.isPending && <ChoicesShape />}
      {policy.data && <PolicyForm key={JSON.stringify(policy.data)} stored={policy.data} />}
    </>
  );
}

function PolicyForm({ stored }: { stored: ToolPolicy }) {
  const queries = useQueryClient();
  const [unmarked, setUnmarked] = useState(stored.unmarked_tools);
  const [needsOther, setNeedsOther] = useState(stored.other_decider);
  const isChanged = unmarked !== stored.unmarked_tools || needsOther !== stored.other_decider;
  useUnsaved(isChanged);
  const save = useAction(
    () => askArea<ToolPolicy>('platform', 'PUT', PATH, { unmarked_tools: unmarked, other_decider: needsOther }),
    {
      refresh: [...QUERY_KEYS.mcpServers, ...QUERY_KEYS.plugins],
      done: 'Saved. Applies from the next call.',
      onDone: (saved) => queries.setQueryData(policyOf().queryKey, saved),
    },
  );
  return (
    <Section
      title="Tools without a rule"
      text={
        <>
          Rules of tools are set at their <Link to="/build/mcp">MCP server</Link> or{' '}
          <Link to="/build/plugins">plugin</Link>. Agents can only be stricter.
        </>
      }
    >
      <Stack gap="lg">
        <Radio.Group
          label="Calls"
          value={unmarked}
          onChange={(value) => {
            if (isChoice(value)) setUnmarked(value);
          }}
        >
          <Stack gap="sm" mt="xs">
            {Object.entries(UNMARKED).map(([value, { label, text }]) => (
              <Radio key={value} value={value} label={label} description={text} />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox
          label="Second person"
          description="Someone other than the requester has to approve."
          checked={needsOther}
          onChange={(event) => setNeedsOther(event.currentTarget.checked)}
        />
        <Group gap="md">
          <Button loading={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
            Save
          </Button>
          <Text size="sm" c="dimmed">
            {stored.is_default ? (
              'The default of this installation.'
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

export { ToolPolicyPage as Component };
