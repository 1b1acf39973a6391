import { Alert, Badge, Button, Code, Drawer, Group, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { objectIn } from '../../api/json-schema.js';
import { callTool } from '../../api/mcp.js';
import type { McpServer, McpTool } from '../../api/platform-records.js';
import { Failure } from '../../ui/failure.js';
import { fieldsOf, readInput } from '../../ui/schema-fields.js';
import { SchemaForm, type SchemaInput } from '../../ui/schema-form.js';

export interface TryToolProps {
  server: McpServer;
  tool: McpTool | undefined;
  close: () => void;
}

/** Drawer in which the user tries a tool: it sends one call through the relay. */
export function TryTool({ server, tool, close }: TryToolProps) {
  return (
    <Drawer opened={tool !== undefined} onClose={close} position="right" size="lg" title={tool && `Try ${tool.name}`}>
      {tool && <Trial server={server} tool={tool} />}
    </Drawer>
  );
}

function Trial({ server, tool }: { server: McpServer; tool: McpTool }) {
  const [input, setInput] = useState<SchemaInput>({ texts: {}, json: null });
  const args = argumentsOf(tool, input);
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
      <form onSubmit={run}>
        <Stack gap="sm">
          <SchemaForm
            schema={tool.input_schema}
            input={input}
            change={(changes) => setInput((now) => ({ ...now, ...changes }))}
            label="Arguments"
            none="This tool has no parameters."
          />
          <Text size="xs" c="dimmed">
            Runs the real tool, including side effects. The call is logged under your name.
          </Text>
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

/** Parses the entered arguments; undefined while they are invalid. */
function argumentsOf({ input_schema }: McpTool, { texts, json }: SchemaInput): Record<string, unknown> | undefined {
  if (json !== null) return objectIn(json);
  const { value, faults } = readInput(fieldsOf(input_schema), texts);
  return Object.keys(faults).length > 0 ? undefined : value;
}
