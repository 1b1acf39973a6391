import { AppError } from '@millwright/errors';
import { parseFields, route, type Route } from '@millwright/http';
import { readSkillMd, writeSkillMd } from './skill-md.js';
import * as contract from './skills.contract.js';
import type { SkillStore } from './skills.store.js';

export function skillRoutes(skills: SkillStore): Route[] {
  return [
    route(contract.listSkills, async ({ caller, query }) => ({ body: await skills.list(caller.project, query) })),

    route(contract.createSkill, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const { record, version } = await skills.create(tx, caller, body);
        return { body: record, version, headers: { Location: `/api/v1/skills/${record.id}` } };
      }),
    ),

    route(contract.importSkill, ({ caller, text, commit }) => {
      const input = parseFields(contract.NewSkill, readSkillMd(text));
      return commit(async (tx) => {
        const { record, version } = await skills.create(tx, caller, input);
        return { body: record, version, headers: { Location: `/api/v1/skills/${record.id}` } };
      });
    }),

    route(contract.exportSkill, async ({ caller, params }) => {
      const skill = await skills.find(caller.project, params.skill_id);
      if (!skill) throw new AppError('not_found');
      const headers = { 'Content-Disposition': 'inline; filename="SKILL.md"' };
      return { body: writeSkillMd(skill.record), version: skill.version, headers };
    }),

    route(contract.getSkill, async ({ caller, params }) => {
      const skill = await skills.find(caller.project, params.skill_id);
      if (!skill) throw new AppError('not_found');
      return { body: skill.record, version: skill.version };
    }),

    route(contract.replaceSkill, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const { record, version } = await skills.change(tx, caller, { id: params.skill_id, ifMatch }, body);
        return { body: record, version };
      }),
    ),

    route(contract.updateSkill, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const { record, version } = await skills.change(tx, caller, { id: params.skill_id, ifMatch }, body);
        return { body: record, version };
      }),
    ),

    route(contract.deleteSkill, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await skills.remove(tx, caller, { id: params.skill_id, ifMatch });
        return {};
      }),
    ),
  ];
}
