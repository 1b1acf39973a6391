import type { RuntimeAnswers } from '../../api/answers/runtime.js';
import { areaResource } from '../../api/areas.js';

/**
 * A query for the agents of the project, or for the built-in agent while no other agent is active. Without a limit, the API returns up to
 * 1,000 agents.
 */
export const agentRegistry = () => areaResource<RuntimeAnswers['listAgents']>('runtime', '/api/v1/agents/registry');
