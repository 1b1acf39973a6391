export { readAgentCard, type CardSource, type ReadCard } from './agent-card.js';
export { sendToAgent, type AgentArguments, type AgentCall } from './send-to-agent.js';
