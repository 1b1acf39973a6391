import { Badge, Code, Loader, Text } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { indentedJson } from '../../ui/indented-json.js';
import classes from './talk.module.css';
import type { ToolUse } from './turns.js';

/** A tool call: arguments, outcome, and the beginning of the result. */
export function ToolCall({ use: { tool, arguments: args, state, answer } }: { use: ToolUse }) {
  return (
    <details className={classes.tool}>
      <summary>
        <IconTool size={15} stroke={1.7} aria-hidden />
        <span className={classes.toolName}>
          <bdi>{tool}</bdi>
        </span>
        {state === 'running' && <Loader size={12} aria-label="Running" role="img" />}
        {state === 'done' && <Badge>Done</Badge>}
        {state === 'failed' && <Badge color="red">Failed</Badge>}
      </summary>
      <Text size="xs" c="dimmed" mt="xs" mb={4}>
        Arguments
      </Text>
      <Code block>{indentedJson(args)}</Code>
      {answer !== undefined && (
        <>
          <Text size="xs" c="dimmed" mt="xs" mb={4}>
            Result
          </Text>
          <Code block>{answer}</Code>
        </>
      )}
    </details>
  );
}
