import { Alert, Badge, Button, Code, Drawer, Group, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { objectIn } from '../../api/json-schema.js';
import { callTool } from '../../api/mcp.js';
import type { McpServer, McpTool } from '../../api/platform-records.js';
import { Failure } from '../../ui/failure.js';
import { JsonArea } from '../../ui/text-area.js';
import { ParameterList } from './parameter-list.js';
import { parametersOf } from './parameters.js';
import { skeletonOf } from './skeleton.js';

export interface TryToolProps {
  server: McpServer;
  tool: McpTool | undefined;
  close: () => void;
}

/** A trial of a tool: one call through the relay. */
export function TryTool({ server, tool, close }: TryToolProps) {
  return (
    <Drawer opened={tool !== undefined} onClose={close} position="right" size="lg" title={tool && `Try ${tool.name}`}>
      {tool && <Trial server={server} tool={tool} />}
    </Drawer>
  );
}

function Trial({ server, tool }: { server: McpServer; tool: McpTool }) {
  const [text, setText] = useState(() => JSON.stringify(skeletonOf(tool.input_schema), null, 2));
  const args = objectIn(text);
  const trial = useMutation({ mutationFn: () => callTool(server.slug, tool.name, args ?? {}) });
  const run = (event: SubmitEvent) => {
    event.preventDefault();
    trial.mutate();
  };
  return (
    <Stack gap="md">
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {tool.description}
      </Text>
      {parametersOf(tool.input_schema).length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Parameters
          </Text>
          <ParameterList tool={tool} />
        </div>
      )}
      <form onSubmit={run}>
        <Stack gap="sm">
          <JsonArea
            label="Arguments"
            description="Runs the real tool, including side effects. The call is logged under your name."
            value={text}
            onChange={setText}
            minRows={4}
            maxRows={16}
            error={args === undefined ? 'Enter a JSON object.' : undefined}
            data-autofocus
          />
          <Group>
            <Button type="submit" loading={trial.isPending} disabled={args === undefined}>
              Run tool
            </Button>
          </Group>
        </Stack>
      </form>
      <div role="status">
        {trial.error && <Failure error={trial.error} />}
        {trial.data && (
          <Stack gap="xs">
            <Group gap="xs">
              <Text size="sm" fw={550}>
                Result
              </Text>
              <Badge color={trial.data.isError === true ? 'red' : 'mill'}>
                {trial.data.isError === true ? 'Failed' : 'Done'}
              </Badge>
            </Group>
            {trial.data.content.map(({ type, text, mimeType }, index) =>
              text !== undefined ? (
                <Code block key={index} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {text}
                </Code>
              ) : (
                <Alert key={index} color="gray" py="xs">
                  {type}
                  {mimeType !== undefined && `: ${mimeType}`}
                </Alert>
              ),
            )}
            {trial.data.structuredContent !== undefined && (
              <Code block>{JSON.stringify(trial.data.structuredContent, null, 2)}</Code>
            )}
          </Stack>
        )}
      </div>
      <details>
        <summary>
          <Text span size="sm">
            Input schema
          </Text>
        </summary>
        <Code block mt="xs">
          {JSON.stringify(tool.input_schema, null, 2)}
        </Code>
      </details>
    </Stack>
  );
}
