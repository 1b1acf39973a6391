import { QUOTA_KINDS } from '@millwright/db/quotas';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ShownProject } from '../dashboard/usage.contract.js';

const Amount = z.object({ rows: z.int(), bytes: z.int() });

export const listQuotas = endpoint({
  operationId: 'listQuotas',
  method: 'GET',
  path: '/admin/api/quotas',
  summary: 'What a project stores, and how much it may store',
  tag: 'Dashboard',
  access: { role: ['admin', 'project_admin'] },
  limit: 'credential',
  query: z.object({ project: ShownProject }),
  success: {
    status: 200,
    description: 'Of one project, or of all of them for a platform admin who names none',
    body: z.object({
      items: z.array(
        z.object({
          project: z.string(),
          kind: z.enum(QUOTA_KINDS),
          used: Amount,
          limit: Amount,
          share: z
            .number()
            .meta({ description: 'The larger of the shares of rows and bytes: 1 is a quota that is used up' }),
          own: z.boolean().meta({ description: 'Whether the limit is the project’s own, not the one of the settings' }),
          refused_at: z.string().nullable().meta({ description: 'When a change was last refused, to the hour' }),
        }),
      ),
    }),
  },
  errors: [],
});
