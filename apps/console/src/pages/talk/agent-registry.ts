import type { RuntimeAnswers } from '../../api/answers/runtime.js';
import { areaResource } from '../../api/areas.js';

/** A query for the agents of the project, the built-in one while no other is active; without a limit the API returns up to 1,000. */
export const agentRegistry = () => areaResource<RuntimeAnswers['listAgents']>('runtime', '/api/v1/agents/registry');
