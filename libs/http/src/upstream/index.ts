export { hopByHop } from './hop-by-hop.js';
export { createTargets } from './targets.js';
export { UpstreamAgent } from './upstream-agent.js';
