import { z } from 'zod';
import { SkillParameters } from './skill-parameters.schema.js';

const Status = z.enum(['active', 'inactive']);

export const Skill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  parameters: SkillParameters,
  status: Status,
  created_at: z.string(),
  updated_at: z.string(),
});
export type Skill = z.output<typeof Skill>;

const fields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000),
  instructions: z.string().min(1).max(100_000),
  parameters: SkillParameters,
};
export const NewSkill = z.strictObject({ ...fields, parameters: SkillParameters.default({}) });
export type NewSkill = z.output<typeof NewSkill>;

/** A replacement sets every field: a field that the request omits gets its default. */
export const SkillReplacement = z.strictObject({ ...NewSkill.shape, status: Status.default('active') });
export const SkillChanges = z.strictObject({ ...fields, status: Status }).partial();
export type SkillChanges = z.output<typeof SkillChanges>;

/** The fields that a stored version contains: those that requests may set. */
export const SkillState = Skill.omit({ id: true, created_at: true, updated_at: true });
