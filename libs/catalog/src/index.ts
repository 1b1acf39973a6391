export { findRunnableAgent, listRunnableAgents, type RunnableAgent, type RunnableSkill } from './agents.js';
export { SkillParameter, SkillParameters } from './skill-parameters.js';
export { freeSlug, slugify } from './slug.js';
