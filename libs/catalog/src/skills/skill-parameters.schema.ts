import { z } from 'zod';

const ParameterValue = z.union([z.string().max(10_000), z.number(), z.boolean()]);

function fits(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value === type;
}

/** One parameter of a skill: its type, its allowed values and its default. */
export const SkillParameter = z
  .strictObject({
    type: z.enum(['string', 'integer', 'number', 'boolean']),
    enum: z.array(ParameterValue).min(1).max(100).optional(),
    default: ParameterValue.optional(),
  })
  .superRefine((parameter, context) => {
    parameter.enum?.forEach((value, index) => {
      if (!fits(parameter.type, value)) {
        context.addIssue({ code: 'custom', path: ['enum', index], message: `does not fit type ${parameter.type}` });
      }
    });
    if (parameter.default === undefined) return;
    const inEnum = parameter.enum?.includes(parameter.default) ?? true;
    if (!fits(parameter.type, parameter.default)) {
      context.addIssue({ code: 'custom', path: ['default'], message: `does not fit type ${parameter.type}` });
    } else if (!inEnum) context.addIssue({ code: 'custom', path: ['default'], message: 'is not one of enum' });
  });

/** Definitions of parameters by their names. */
export const SkillParameters = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/), SkillParameter)
  .refine((parameters) => Object.keys(parameters).length <= 50, 'must have at most 50 parameters');
export type SkillParameters = z.output<typeof SkillParameters>;
