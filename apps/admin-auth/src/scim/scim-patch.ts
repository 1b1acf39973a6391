import { z } from 'zod';
import { invalid } from './scim-error.js';

const MOST_OPERATIONS = 100;

/** `Operations` of RFC 7644 §3.5.2. Some clients write `op` with a capital letter. */
export const PatchBody = z.object({
  Operations: z
    .array(
      z.object({
        op: z
          .string()
          .max(10)
          .toLowerCase()
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(500).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MOST_OPERATIONS),
});
export type Operation = z.output<typeof PatchBody>['Operations'][number];

/** A change of one attribute: an operation sets the attribute, or adds values to it or removes values from it. */
export interface Change {
  op: Operation['op'];
  /** The attribute's path without the URN of its schema. */
  path: string;
  value: unknown;
}

const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(User|Group):/i;

/** Returns the changes of a patch, one for each attribute. A value without a path is an object of attributes. */
export function changesOf(operations: readonly Operation[]): Change[] {
  return operations.flatMap(({ op, path, value }): Change[] => {
    if (path !== undefined) return [{ op, path: path.replace(URN, ''), value }];
    if (op === 'remove') throw invalid('path', 'is required to remove', 'invalidPath');
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid('value', 'must be an object where there is no path');
    return Object.entries(value).map(([name, part]) => ({ op, path: name.replace(URN, ''), value: part as unknown }));
  });
}

const MEMBER = /^members\[\s*value\s+eq\s+"([\w-]{1,100})"\s*\]$/i;

/** Returns the id in `members[value eq "<id>"]`. */
export const memberOf = (path: string): string | undefined => MEMBER.exec(path)?.[1];

/** Parses the value of an attribute in a patch. */
export function parseValue<Schema extends z.ZodType>(schema: Schema, name: string, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(name, 'is not valid');
  return result.data;
}
