export { createPromptSkillStore, type ListedSkill, type PromptSkillStore } from './prompt-skills.store.js';
export { listRecordsByName, RECORD_KINDS } from './records-by-name.store.js';
