import { Badge, Button, Checkbox, Radio, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { areaResource, askArea } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import type { McpToolRule } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Section } from '../../ui/section.js';
import { showFailure, useAction } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { SectionsShape } from '../../ui/loading.js';
import { SaveActions } from '../record/form-actions.js';
import {
  changedRules,
  inParts,
  marksOf,
  RULES,
  withSuggestions,
  type Mark,
  type Marks,
} from '../tool-rules/rule-text.js';

/** Limit of the rules in one request. */
const MOST_RULES = 100;

const CHANGED = 'A tool has changed. Check the rules, and save again.';

interface Rules {
  items: McpToolRule[];
}

const rulesOf = (path: string) => areaResource<Rules>('platform', `${path}/tools/rules`);

/** The rules of a server's tools. `path`: path of the server. */
export function ToolRules({ path }: { path: string }) {
  const rules = useQuery({ ...rulesOf(path), refetchOnWindowFocus: false });
  if (rules.error && !rules.data) return <Failure error={rules.error} retry={() => void rules.refetch()} />;
  if (!rules.data) return <SectionsShape sections={1} />;
  const { items } = rules.data;
  const version = JSON.stringify(items);
  return <RuleForm key={version} path={path} tools={items} reload={() => void rules.refetch()} />;
}

function RuleForm({ path, tools, reload }: { path: string; tools: readonly McpToolRule[]; reload: () => void }) {
  const queries = useQueryClient();
  const [marks, setMarks] = useState<Marks>(() => marksOf(tools));
  const saved = marksOf(tools);
  const isDirty = JSON.stringify(marks) !== JSON.stringify(saved);
  useUnsaved(isDirty);
  const save = useAction(
    async () => {
      let saved: Rules = { items: [...tools] };
      for (const rules of inParts(changedRules(tools, marks), MOST_RULES))
        saved = await askArea<Rules>('platform', 'PUT', `${path}/tools/rules`, { rules });
      return saved;
    },
    {
      refresh: QUERY_KEYS.mcpServers,
      done: 'Saved. Applies from the next call.',
      onDone: (saved) => queries.setQueryData(rulesOf(path).queryKey, saved),
      onError: (error, _input, toast) => {
        const isStale = error instanceof ApiError && error.status === 412;
        showFailure(isStale ? new ApiError(412, error.code, CHANGED, error.requestId) : error, toast);
        if (isStale) reload();
      },
    },
  );
  const markOf = (name: string): Mark => marks[name] ?? { rule: null, other_decider: false, repeatable: false };
  const change = (name: string, changes: Partial<Mark>) =>
    setMarks((now) => ({ ...now, [name]: { ...markOf(name), ...changes } }));
  const choice = (title: string, rule: Mark['rule']): Column<McpToolRule> => ({
    title,
    render: ({ name }) => (
      <Radio
        name={`rule of ${name}`}
        aria-label={`${title}: ${name}`}
        checked={markOf(name).rule === rule}
        onChange={() => change(name, { rule })}
      />
    ),
  });
  const columns: Column<McpToolRule>[] = [
    { title: 'Tool', render: (tool) => <ToolCell tool={tool} mark={markOf(tool.name)} /> },
    { title: 'Suggested', render: ({ suggested }) => RULES[suggested].label },
    choice('Allow', 'allow'),
    choice('Ask', 'ask'),
    choice('Deny', 'deny'),
    choice('Policy', null),
    {
      title: 'Second person',
      render: ({ name }) => (
        <Checkbox
          aria-label={`Second person: ${name}`}
          checked={markOf(name).other_decider}
          onChange={(event) => change(name, { other_decider: event.currentTarget.checked })}
        />
      ),
    },
    {
      title: 'Repeatable',
      render: ({ name }) => (
        <Checkbox
          aria-label={`Repeatable: ${name}`}
          checked={markOf(name).repeatable}
          onChange={(event) => change(name, { repeatable: event.currentTarget.checked })}
        />
      ),
    },
  ];
  const suggested = withSuggestions(tools, marks);
  const hasSuggestions = JSON.stringify(suggested) !== JSON.stringify(marks);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Section
        title="Rules"
        text={
          <>
            Allow: agents call the tool by themselves. Ask: each call waits for a person. Deny: calls are refused.
            Policy: the <Link to="/build/tool-policy">tool policy</Link> of the project decides. Second person: someone
            other than the requester has to approve. Repeatable: a call whose outcome is unknown is made again, until
            the tool changes.
          </>
        }
        flush
        actions={
          <Button
            size="xs"
            variant="default"
            disabled={!hasSuggestions}
            onClick={() => setMarks(suggested)}
            title="For tools without a rule: Allow where the server says that the tool only reads, otherwise Ask"
          >
            Use suggestions
          </Button>
        }
      >
        <DataTable
          label="Rules of tools"
          columns={columns}
          query={{ data: { items: tools }, error: null, refetch: reload }}
          rowKey={({ name }) => name}
          empty={{ title: 'No tools available', text: 'Approved tools appear here.' }}
        />
      </Section>
      {tools.length > 0 && (
        <SaveActions isDirty={isDirty} isSaving={save.isPending} onDiscard={() => setMarks(saved)} />
      )}
    </form>
  );
}

function ToolCell({ tool: { name, rule, is_current, effective }, mark }: { tool: McpToolRule; mark: Mark }) {
  const isStale = rule !== null && !is_current;
  return (
    <div>
      <NamedCell name={name} badges={isStale && <Badge color="orange">Changed since</Badge>} />
      {(mark.rule === null || isStale) && (
        <Text size="xs" c="dimmed">
          Now: {RULES[effective].label}
        </Text>
      )}
    </div>
  );
}
