import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { askArea } from '../../api/areas.js';
import type { QuarantinedTool } from '../../api/platform-records.js';
import { confirm } from '../../ui/confirm.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { DifferenceView } from '../versions/difference-view.js';
import { differencesOf } from '../versions/difference.js';
import { REFRESH } from './refresh.js';

const REASONS: Readonly<Record<QuarantinedTool['reason'], { label: string; text: string; color: string }>> = {
  new: { label: 'New', text: 'It came after the server was registered.', color: 'yellow' },
  changed: { label: 'Changed', text: 'It is not what was approved any more.', color: 'orange' },
  removed: { label: 'Gone', text: 'The server does not have it any more.', color: 'gray' },
};

export interface QuarantineProps {
  /** Of the server. */
  path: string;
  query: { data?: { items: QuarantinedTool[] } | undefined; error: Error | null; refetch: () => unknown };
}

/** Tools that are not on offer because they are not what was approved. */
export function Quarantine({ path, query }: QuarantineProps) {
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data?.items.length === 0) {
    return (
      <Section title="Quarantined tools">
        <EmptyState
          title="Nothing waits"
          text="What the server offers is what was approved. A tool that is added or changed is held back here."
        />
      </Section>
    );
  }
  return query.data?.items.map((tool) => <Waiting key={tool.name} path={path} tool={tool} />);
}

function Waiting({ path, tool }: { path: string; tool: QuarantinedTool }) {
  const { label, text, color } = REASONS[tool.reason];
  const approve = useAction(
    () => askArea('platform', 'POST', `${path}/tools/${encodeURIComponent(tool.name)}/approve`, { hash: tool.hash }),
    { refresh: REFRESH, done: `${tool.name} is on offer.` },
  );
  const ask = () =>
    confirm({
      title: 'Approve this tool?',
      text: (
        <>
          Agents and MCP clients may call <bdi>{tool.name}</bdi> as it is described here, in your name as the one who
          approved it. What its description says is read by models: it can steer them. By its annotations, clients ask
          their user before a call, or do not.
        </>
      ),
      action: 'Approve',
      tone: 'plain',
      work: () => approve.mutateAsync(),
    });
  return (
    <Section
      title={tool.name}
      actions={
        tool.hash !== null && (
          <Button size="xs" onClick={ask} aria-label={`Approve ${tool.name}`}>
            Approve
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Group gap="xs">
          <Badge color={color}>{label}</Badge>
          <Text size="sm">{text}</Text>
        </Group>
        <DifferenceView differences={differencesOf(tool.approved ?? {}, tool.current ?? {})} />
      </Stack>
    </Section>
  );
}
