export {
  Agent,
  AgentChanges,
  AgentDraft,
  AgentReplacement,
  AgentState,
  MOST_SKILLS,
  NewAgent,
} from './agents/agents.schema.js';
export { ATTACHING, createAgentRules, MissingProof, type AgentRules } from './agents/agents.rules.js';
export { recordRefusal } from './agents/record-refusal.js';
export {
  AGENTS,
  bumpAgentVersions,
  changeAgentRecord,
  createAgentRecord,
  readAgentRecord,
  removeAgentRecord,
  removeUsed,
} from './agents/agents.store.js';
export { BUILT_IN_AGENT } from './agents/built-in-agent.js';
export { resolveUsed } from './agents/agent-relations.store.js';
export { agentAtVersion } from './runnable/agent-at-version.js';
export { listAgentLinks } from './runnable/agent-links.store.js';
export { agentOfDraft } from './runnable/agent-of-draft.js';
export {
  findDefaultAgent,
  findRunnableAgent,
  type CallableAgent,
  type RunnableAgent,
  type RunnableSkill,
} from './runnable/runnable-agents.store.js';
export { ContentChanges, ContentItem, ContentReplacement, NewContentItem } from './content/content.schema.js';
export { changeContentRecord, CONTENT, createContentRecord, insertContent } from './content/content.store.js';
export { isDeletedPassage, searchContent, SEARCHED_CONTENT } from './content/content-search.store.js';
export { NewSkill, Skill, SkillChanges, SkillReplacement, SkillState } from './skills/skills.schema.js';
export {
  changeSkillRecord,
  createSkillRecord,
  readSkillRecord,
  removeSkillRecord,
  SKILLS,
} from './skills/skills.store.js';
export { openPluginConfig, type RunnablePlugin } from './plugins/agent-plugins.store.js';
export { fetchDocument, NotADocument, type DataSourceConfig } from './plugins/data-source.js';
export { toolRulesConfig } from './tool-rules/tool-rules.config.js';
export { isReservedSlug, reserveSlug, slugify } from './slug.js';
export { VERSIONED } from './versions.store.js';
