import { Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

/** The step that adds an MCP server; optional, because an agent works without tools. */
export function ServerStep({ title, progress: { server, agent, errors } }: { title: string; progress: Progress }) {
  return (
    <Step
      title={title}
      text="An MCP server gives agents tools: add one by its address, then choose it in the agent."
      isDone={server === undefined ? undefined : server !== null}
      isOptional
      done={
        server && (
          <>
            Added:{' '}
            <Link to={`/build/mcp/${server.id}`}>
              <bdi>{server.name}</bdi>
            </Link>
          </>
        )
      }
      error={errors.server}
      stays={
        server &&
        agent &&
        !agent.mcp_server_ids.includes(server.id) && (
          <Text size="sm">
            <Link to={`/build/agents/${agent.id}`}>
              Choose it in <bdi>{agent.name}</bdi>
            </Link>{' '}
            to let the agent call its tools.
          </Text>
        )
      }
    >
      <Group>
        <Button component={Link} to="/build/mcp/new" variant="default">
          Add MCP server
        </Button>
      </Group>
    </Step>
  );
}
