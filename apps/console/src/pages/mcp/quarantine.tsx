import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { askArea } from '../../api/areas.js';
import type { QuarantinedTool } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { confirm } from '../../ui/confirm.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { DifferenceView } from '../versions/difference-view.js';
import { differencesOf } from '../versions/difference.js';
import classes from './mcp.module.css';

const REASONS: Readonly<Record<QuarantinedTool['reason'], { label: string; text: string; color: string }>> = {
  new: { label: 'New', text: 'Added after registration.', color: 'yellow' },
  changed: { label: 'Changed', text: 'Changed since it was approved.', color: 'orange' },
  removed: {
    label: 'Removed',
    text: 'The server no longer has this tool. It becomes available again if the server brings it back unchanged.',
    color: 'gray',
  },
};

export interface QuarantineProps {
  /** Path of the server. */
  path: string;
  query: { data?: { items: QuarantinedTool[] } | undefined; error: Error | null; refetch: () => unknown };
}

/** Tools that differ from their approved definitions, and are therefore not available. */
export function Quarantine({ path, query: { data, error, refetch } }: QuarantineProps) {
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return null;
  return (
    <Section title="Tools to review" text="Agents can't call these tools until an administrator approves them.">
      {data.items.length === 0 && <EmptyState title="No tools to review" text="New and changed tools appear here." />}
      {data.items.map((tool) => (
        <Waiting key={tool.name} path={path} tool={tool} />
      ))}
    </Section>
  );
}

function Waiting({ path, tool }: { path: string; tool: QuarantinedTool }) {
  const { label, text, color } = REASONS[tool.reason];
  const approve = useAction(
    () => askArea('platform', 'POST', `${path}/tools/${encodeURIComponent(tool.name)}/approve`, { hash: tool.hash }),
    { refresh: QUERY_KEYS.mcpServers, done: `${tool.name} is available.` },
  );
  const ask = () =>
    confirm({
      title: 'Approve this tool?',
      text: (
        <>
          Agents and MCP clients can call <bdi>{tool.name}</bdi> as described here. The approval is logged under your
          name. Models read the description: it can steer them. By the annotations, clients decide whether to ask their
          user before a call.
        </>
      ),
      action: 'Approve',
      tone: 'plain',
      work: () => approve.mutateAsync(),
    });
  return (
    <Stack gap="sm" className={classes.waiting}>
      <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
        <div>
          <Group gap={8}>
            <Title order={3} className={classes.tool}>
              <bdi>{tool.name}</bdi>
            </Title>
            <Badge color={color}>{label}</Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        {tool.hash !== null && (
          <Button size="xs" flex="none" onClick={ask} aria-label={`Approve ${tool.name}`}>
            Approve
          </Button>
        )}
      </Group>
      <div>
        <DifferenceView differences={differencesOf(tool.approved ?? {}, tool.current ?? {})} />
      </div>
    </Stack>
  );
}
