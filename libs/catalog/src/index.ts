export { insertContent, type NewContentRow } from './content.js';
export { searchContent, type ContentQuery, type FoundContent } from './content-search.js';
export { findRunnableAgent, listRunnableAgents, type RunnableAgent, type RunnableSkill } from './agents.js';
export { SkillParameter, SkillParameters } from './skill-parameters.js';
export { slugCandidates, slugify } from './slug.js';
