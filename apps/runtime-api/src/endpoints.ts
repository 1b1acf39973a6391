import type { Database, MetricCounts } from '@millwright/db';
import type { Route } from '@millwright/http';
import type { Models } from '@millwright/models';
import { agentRoutes } from './agents/agents.routes.js';
import { analyticsRoutes } from './analytics/analytics.routes.js';
import { createAnalyticsStore } from './analytics/analytics.store.js';
import { contentRoutes } from './content/content.routes.js';
import { createContentStore } from './content/content.store.js';
import { fileRoutes, type FileService } from './files/files.routes.js';
import { createFileStore } from './files/files.store.js';
import { healthRoutes } from './health/health.routes.js';
import { createContextStore } from './messages/contexts.store.js';
import { messageRoutes } from './messages/messages.routes.js';
import { userRoutes } from './users/users.routes.js';
import { createUserStore } from './users/users.store.js';

/** Every resource endpoint that area C serves. */
export function createRoutes(
  db: Database,
  models: Models,
  runtimeUrl: string,
  files: FileService,
  counts?: Pick<MetricCounts, 'add'>,
): Route[] {
  return [
    ...healthRoutes(db),
    ...agentRoutes(db, models, runtimeUrl),
    ...messageRoutes(db, createContextStore(db), models),
    ...userRoutes(createUserStore(db)),
    ...contentRoutes(createContentStore(db), counts),
    ...fileRoutes(createFileStore(db), files),
    ...analyticsRoutes(createAnalyticsStore(db), () => new Date()),
  ];
}
