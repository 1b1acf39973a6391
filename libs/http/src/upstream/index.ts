export { hopByHop } from './hop-by-hop.js';
export { createTargets, type Target, type Targets } from './targets.js';
export { UpstreamAgent } from './upstream-agent.js';
