import { parseFields, reply, requireFound, route, type Route } from '@millwright/http';
import { readSkillMd, writeSkillMd } from './skill-md.js';
import { listReply } from '../lists/list-reply.js';
import * as contract from './skills.contract.js';
import type { SkillStore } from './skills.store.js';

export function skillRoutes(skills: SkillStore): Route[] {
  return [
    route(contract.listSkills, async ({ caller, query }) =>
      listReply('/api/v1/skills', query, await skills.list(caller.project, query)),
    ),

    route(contract.createSkill, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const created = await skills.create(tx, caller, body);
        return reply(created, { Location: `/api/v1/skills/${created.record.id}` });
      }),
    ),

    route(contract.importSkill, ({ caller, text, commit }) => {
      const input = parseFields(contract.NewSkill, readSkillMd(text));
      return commit(async (tx) => {
        const created = await skills.create(tx, caller, input);
        return reply(created, { Location: `/api/v1/skills/${created.record.id}` });
      });
    }),

    route(contract.exportSkill, async ({ caller, params }) => {
      const skill = requireFound(await skills.find(caller.project, params.skill_id));
      const headers = { 'Content-Disposition': 'inline; filename="SKILL.md"' };
      return { body: writeSkillMd(skill.record), version: skill.version, headers };
    }),

    route(contract.getSkill, async ({ caller, params }) =>
      reply(requireFound(await skills.find(caller.project, params.skill_id))),
    ),

    route(contract.replaceSkill, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await skills.change(tx, caller, { id: params.skill_id, ifMatch }, body))),
    ),

    route(contract.updateSkill, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await skills.change(tx, caller, { id: params.skill_id, ifMatch }, body))),
    ),

    route(contract.deleteSkill, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await skills.remove(tx, caller, { id: params.skill_id, ifMatch });
        return {};
      }),
    ),
  ];
}
