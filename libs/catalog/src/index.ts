export { findRunnableAgent, listRunnableAgents, type RunnableAgent, type RunnableSkill } from './agents.js';
export { secretsConfig } from './config.js';
export { createSecretBox, parseSecretKey, SecretUnreadable, type SecretBox, type SecretKey } from './secret-box.js';
export { SkillParameter, SkillParameters } from './skill-parameters.js';
export { slugCandidates, slugify } from './slug.js';
