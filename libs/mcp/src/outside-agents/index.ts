export { readAgentCard, SEND_MESSAGE, type CardSource, type ReadCard } from './agent-card.js';
export { CARD_SIGNATURES, type CardSignature } from './card-signature.js';
export { sendToAgent, type AgentArguments, type AgentCall } from './send-to-agent.js';
