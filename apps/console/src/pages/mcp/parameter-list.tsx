import { Text } from '@mantine/core';
import type { McpTool } from '../../api/platform-records.js';
import classes from './mcp.module.css';
import { parametersOf } from './parameters.js';

export interface ParameterListProps {
  tool: McpTool;
  /** Whether only the first few parameters are shown, without descriptions, as in the cell of a list. */
  isShort?: boolean;
}

const FEW = 6;

/** A tool's parameters with types. */
export function ParameterList({ tool, isShort = false }: ParameterListProps) {
  const all = parametersOf(tool.input_schema);
  if (all.length === 0) return isShort ? '—' : null;
  const shown = isShort ? all.slice(0, FEW) : all;
  return (
    <ul className={classes.parameters}>
      {shown.map(({ name, type, isRequired, description }) => (
        <li key={name}>
          <code>
            <bdi>{name}</bdi>
          </code>{' '}
          <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {type}
            {isRequired && ', required'}
          </Text>
          {!isShort && description !== '' && (
            <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{description}</bdi>
            </Text>
          )}
        </li>
      ))}
      {all.length > shown.length && (
        <li>
          <Text span size="xs" c="dimmed">
            and {all.length - shown.length} more
          </Text>
        </li>
      )}
    </ul>
  );
}
