import { Badge, Button, Checkbox, Group, Stack, Switch, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Items, List } from '../../api/admin-records.js';
import { areaResource } from '../../api/areas.js';
import type { McpServer, McpTool, McpToolRule } from '../../api/platform-records.js';
import { TextArea } from '../../ui/text-area.js';
import { linesOf } from '../../ui/tool-list.js';
import { Failure } from '../../ui/failure.js';
import { TextShape } from '../../ui/loading.js';
import { RULES, type Rule } from '../tool-rules/rule-text.js';
import classes from './tool-choice.module.css';
import {
  ALL,
  BUILT_IN,
  builtInOf,
  countAllowed,
  hasBuiltIn,
  hasServer,
  hasTool,
  patternsBeyond,
  withBuiltIn,
  withServer,
  withTool,
} from './tool-patterns.js';
import type { BuiltIn, ServerTools } from './tool-patterns.js';

/** Maximum page size of the API. */
const MOST_TOOLS = 100;

export interface ToolChoiceProps {
  /** Ids of the agent's MCP servers. */
  serverIds: readonly string[];
  /** Patterns of the allowed tools, one per line. */
  allowed: Lines;
  asked: Lines;
}

interface Lines {
  text: string;
  error: ReactNode;
  onChange: (text: string) => void;
}

/** The agent's tools. Each tool has two checkboxes: whether the agent may call the tool, and whether the calls wait for a person. */
export function ToolChoice({ serverIds, allowed, asked }: ToolChoiceProps) {
  const [isText, setText] = useState(false);
  const { servers, rules, isLoading, isCut, error, retry } = useServers(serverIds);
  const [may, ask] = [linesOf(allowed.text), linesOf(asked.text)];
  const setMay = (patterns: readonly string[]) => allowed.onChange(patterns.join('\n'));
  const setAsk = (patterns: readonly string[]) => asked.onChange(patterns.join('\n'));
  const isShownAsText = isText || allowed.error != null || asked.error != null;
  const beyond = [
    ...patternsBeyond(may, servers).map((pattern) => ({
      pattern,
      of: 'Allowed',
      remove: () => setMay(without(may, pattern)),
    })),
    ...patternsBeyond(
      ask,
      servers,
      WHOLE.map(([pattern]) => pattern),
    ).map((pattern) => ({
      pattern,
      of: 'Asks first',
      remove: () => setAsk(without(ask, pattern)),
    })),
  ];
  const toggle = (
    <div>
      <Button size="compact-xs" variant="subtle" color="gray" ml={-8} onClick={() => setText(!isShownAsText)}>
        {isShownAsText ? 'Edit as a list' : 'Edit as patterns'}
      </Button>
    </div>
  );
  if (isShownAsText) {
    return (
      <Stack gap="md">
        <TextArea
          label="Allowed tools"
          description="One pattern per line: * for all of its servers, server/*, server/tool or platform/* for the built-in ones. Empty allows none."
          minRows={1}
          maxRows={8}
          isCode
          value={allowed.text}
          error={allowed.error}
          onChange={(event) => allowed.onChange(event.currentTarget.value)}
        />
        <TextArea
          label="Tools to approve"
          description="Their calls wait for a person; fewer of them need your passkey. One pattern per line: *, server/*, server/tool, plugins/* or agents/*."
          minRows={1}
          maxRows={8}
          isCode
          value={asked.text}
          error={asked.error}
          onChange={(event) => asked.onChange(event.currentTarget.value)}
        />
        {toggle}
      </Stack>
    );
  }
  const isAll = may.includes(ALL);
  return (
    <Stack gap="sm" role="group" aria-label="Allowed tools">
      <div>
        <Text size="sm" fw={600}>
          Allowed tools
        </Text>
        <Text size="xs" c="dimmed">
          Calls of tools that ask first wait for a person; fewer of them need your passkey.
        </Text>
      </div>
      {Object.entries(BUILT_IN).map(([name, label]) => (
        <Checkbox
          key={name}
          size="xs"
          label={label}
          checked={hasBuiltIn(may, name as BuiltIn)}
          onChange={(event) => setMay(withBuiltIn(may, name as BuiltIn, event.currentTarget.checked))}
        />
      ))}
      <Switch
        label="All tools of its servers"
        description="Also tools and servers that are added later."
        checked={isAll}
        onChange={(event) =>
          setMay(
            event.currentTarget.checked
              ? [ALL, ...builtInOf(may)]
              : [...servers.map(({ slug }) => `${slug}/*`), ...builtInOf(may), ...patternsBeyond(may, servers)],
          )
        }
      />
      {isLoading && <TextShape />}
      {error && <Failure error={error} retry={retry} />}
      {serverIds.length === 0 && (
        <Text size="sm" c="dimmed">
          Choose MCP servers to see their tools.
        </Text>
      )}
      {servers.map((server) => (
        <details key={server.slug} className={classes.server} open={servers.length === 1}>
          <summary>
            <bdi className={classes.name}>{server.name}</bdi>
            <Text span size="xs" c="dimmed">
              {countAllowed(may, server)}
            </Text>
          </summary>
          <div className={classes.tools}>
            <ToolBoxes
              label="All tools of the server"
              name={server.name}
              may={hasServer(may, server.slug)}
              ask={hasServer(ask, server.slug)}
              onMay={(on) => setMay(withServer(may, server.slug, on, servers))}
              onAsk={(on) => setAsk(withServer(ask, server.slug, on, servers))}
              isStrong
            />
            {server.tools.map((tool) => (
              <ToolBoxes
                key={tool}
                label={tool}
                name={tool}
                may={hasTool(may, server.slug, tool)}
                ask={hasTool(ask, server.slug, tool)}
                rule={rules.get(`${server.slug}/${tool}`)}
                onMay={(on) => setMay(withTool(may, server, tool, on, servers))}
                onAsk={(on) => setAsk(withTool(ask, server, tool, on, servers))}
              />
            ))}
          </div>
        </details>
      ))}
      {WHOLE.map(([pattern, label]) => (
        <Checkbox
          key={pattern}
          size="xs"
          label={label}
          checked={ask.includes(ALL) || ask.includes(pattern)}
          disabled={ask.includes(ALL)}
          onChange={(event) => setAsk(event.currentTarget.checked ? [...ask, pattern] : without(ask, pattern))}
        />
      ))}
      {beyond.length > 0 && (
        <Text size="xs" c="dimmed" component="div">
          Also listed, without a tool that is available here:
          <ul className={classes.beyond}>
            {beyond.map(({ pattern, of, remove }) => (
              <li key={`${of} ${pattern}`}>
                <code>{pattern}</code> ({of}){' '}
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  onClick={remove}
                  aria-label={`Remove ${pattern}`}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        </Text>
      )}
      {isCut && (
        <Text size="xs" c="dimmed">
          Only the first {MOST_TOOLS} tools of a server are listed; the others can be written as patterns.
        </Text>
      )}
      {toggle}
    </Stack>
  );
}

const WHOLE = [
  ['plugins/*', 'Ask before calls of plugins'],
  ['agents/*', 'Ask before calls of other agents'],
] as const;

const without = (patterns: readonly string[], pattern: string) => patterns.filter((one) => one !== pattern);

interface ToolBoxesProps {
  label: string;
  name: string;
  may: boolean;
  ask: boolean;
  onMay: (on: boolean) => void;
  onAsk: (on: boolean) => void;
  isStrong?: boolean;
  /** The rule for the tool from an admin or from the project's policy. The agent's own setting can only be stricter. */
  rule?: Rule | undefined;
}

function ToolBoxes({ label, name, may, ask, onMay, onAsk, isStrong = false, rule }: ToolBoxesProps) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Checkbox
        size="xs"
        label={
          <Text span size="sm" fw={isStrong ? 550 : 400} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{label}</bdi>{' '}
            {rule !== undefined && rule !== 'allow' && (
              <Badge color={RULES[rule].color} title={RULES[rule].text}>
                {RULES[rule].label}
              </Badge>
            )}
          </Text>
        }
        checked={may}
        onChange={(event) => onMay(event.currentTarget.checked)}
      />
      <Checkbox
        size="xs"
        label="Ask first"
        aria-label={`Ask first: ${name}`}
        checked={ask}
        disabled={!may && !ask}
        onChange={(event) => onAsk(event.currentTarget.checked)}
        flex="none"
      />
    </Group>
  );
}

/** The servers with the names of their available tools, in the order of the ids. */
function useServers(ids: readonly string[]): {
  servers: ServerTools[];
  /** Rules by tool, named `server/tool`. */
  rules: ReadonlyMap<string, Rule>;
  isLoading: boolean;
  isCut: boolean;
  /** The first error in reading a server or its tools. `servers` does not contain a server that could not be read. */
  error: Error | null;
  retry: () => void;
} {
  const path = (id: string) => `/api/v1/mcp/servers/${id}`;
  const records = useQueries({
    queries: ids.map((id) => ({ ...areaResource<McpServer>('platform', path(id)), staleTime: 60_000 })),
  });
  const tools = useQueries({
    queries: ids.map((id) => ({
      ...areaResource<List<McpTool>>('platform', `${path(id)}/tools`, { per_page: MOST_TOOLS, page: 1 }),
      staleTime: 60_000,
    })),
  });
  const marks = useQueries({
    queries: ids.map((id) => ({
      ...areaResource<Items<McpToolRule>>('platform', `${path(id)}/tools/rules`),
      staleTime: 60_000,
    })),
  });
  const rules = ids.flatMap((_id, index) =>
    (marks[index]?.data?.items ?? []).map(
      ({ name, effective }) => [`${records[index]?.data?.slug ?? ''}/${name}`, effective] as const,
    ),
  );
  const failed = [...records, ...tools].filter(({ error, data }) => error !== null && data === undefined);
  return {
    rules: new Map(rules),
    servers: ids.flatMap((_id, index) => {
      const { slug, name } = records[index]?.data ?? {};
      const listed = tools[index]?.data?.items;
      return slug === undefined || name === undefined || !listed
        ? []
        : [{ slug, name, tools: listed.map((tool) => tool.name) }];
    }),
    isLoading: [...records, ...tools].some((query) => query.isLoading),
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach(({ refetch }) => void refetch()),
    isCut: tools.some(({ data }) => data !== undefined && data.total > MOST_TOOLS),
  };
}
