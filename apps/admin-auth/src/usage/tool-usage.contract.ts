import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { UsagePeriodQuery } from './daily-usage.contract.js';

const calls = {
  calls: z.int(),
  failed: z.int().meta({ description: 'Calls that were refused or ended in an error' }),
};
const tool = z.string().meta({ description: 'Name by which the model calls the tool' });

const Row = z.object({
  tool,
  server: z.object({
    id: z
      .string()
      .meta({ description: 'The MCP server, plugin or agent whose tool it is; `platform` for built-in tools' }),
    name: z.string().nullable().meta({ description: 'Name; null for a deleted record' }),
  }),
  ...calls,
});
export type ToolUsageRow = z.output<typeof Row>;

const Series = z.object({
  tool: tool.nullable().meta({ description: 'Tool; null for the sum of all others' }),
  server_id: z.string().nullable(),
  points: z.array(z.object(calls)).meta({ description: 'One for each of `days`' }),
});

const ToolUsage = z.object({
  project: ProjectId.nullable().meta({ description: 'Project; null: all projects' }),
  days: z.array(z.string()),
  rows: z.array(Row).meta({ description: 'Most calls first; at most 100' }),
  series: z.array(Series).meta({ description: 'The first seven rows by day, then all others' }),
  totals: z.object(calls),
});
export type ToolUsage = z.output<typeof ToolUsage>;

export const getToolUsage = endpoint({
  operationId: 'getToolUsage',
  method: 'GET',
  path: '/admin/api/usage/tools',
  summary: 'Calls of tools by runs, by day',
  tag: 'Reports',
  access: { role: ['admin', 'project_admin'] },
  limit: 'credential',
  query: UsagePeriodQuery,
  success: {
    status: 200,
    description: 'Of one project, or of all of them for a platform admin who names none',
    body: ToolUsage,
  },
  errors: [],
});
