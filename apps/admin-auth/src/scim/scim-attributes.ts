const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(User|Group):/i;

/** Returns an attribute's name in lower case. Removes the URN of its schema, filters in brackets and names of sub-attributes. */
const topLevel = (name: string): string =>
  name
    .trim()
    .replace(URN, '')
    .toLowerCase()
    .replace(/[[.].*$/, '');

const namesIn = (list: string | undefined): string[] | undefined => list?.split(',').map(topLevel);

export interface Selection {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

/** Attributes that are always part of a resource (RFC 7643 §3.1 and §7, `returned`). */
const ALWAYS = ['schemas', 'id', 'meta'];

/** Whether an answer has the attribute (RFC 7644 §3.9). */
export function selects({ attributes, excludedAttributes }: Selection, name: string): boolean {
  if (ALWAYS.includes(name)) return true;
  const included = namesIn(attributes);
  return included
    ? included.includes(name.toLowerCase())
    : namesIn(excludedAttributes)?.includes(name.toLowerCase()) !== true;
}

/** Returns the resource with only the attributes that the client requests. */
export const selected = (resource: object, selection: Selection): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => selects(selection, name)));
