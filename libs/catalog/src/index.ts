export { findRunnableAgent, listRunnableAgents, type RunnableAgent, type RunnableSkill } from './agents.js';
export { SkillParameter, SkillParameters } from './skill-parameters.js';
export { slugCandidates, slugify } from './slug.js';
