import type { Database } from '@millwright/db';
import type { Route } from '@millwright/http';
import { agentRoutes } from './agents/agents.routes.js';
import { createAgentService, type KnownModels } from './agents/agents.service.js';
import { createAgentStore } from './agents/agents.store.js';
import { contentRoutes } from './content/content.routes.js';
import { createContentStore } from './content/content.store.js';
import { skillRoutes } from './skills/skills.routes.js';
import { createSkillStore } from './skills/skills.store.js';
import { versionRoutes } from './versions/versions.routes.js';
import { createVersionStore } from './versions/versions.store.js';

/** Every endpoint that area B serves. */
export function createRoutes(db: Database, isKnownModel: KnownModels): Route[] {
  const skills = createSkillStore(db);
  const agents = createAgentStore(db);
  const agentService = createAgentService(agents, isKnownModel);
  return [
    ...skillRoutes(skills),
    ...agentRoutes(agents, agentService, skills),
    ...versionRoutes(createVersionStore(db), skills, agentService),
    ...contentRoutes(createContentStore(db)),
  ];
}
