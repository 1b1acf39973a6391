import type { ErrorObject } from 'ajv';
import { MOST_FAULTS, type SchemaFault } from './schema-fault.js';

const LONGEST_REASON = 200;

const shortened = (text: string) => (text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text);

function dottedPath(pointer: string, member?: unknown): string {
  const steps = pointer.split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (typeof member === 'string' ? [...names, member] : names).join('.');
}

function toFault({ keyword, instancePath, params, message }: ErrorObject): SchemaFault {
  const details: Record<string, unknown> = params;
  const { missingProperty, additionalProperty, allowedValues, allowedValue } = details;
  switch (keyword) {
    case 'required':
      return { path: dottedPath(instancePath, missingProperty), reason: 'is required' };
    case 'additionalProperties':
      return { path: dottedPath(instancePath, additionalProperty), reason: 'is not allowed' };
    case 'enum':
      return { path: dottedPath(instancePath), reason: `must be one of ${JSON.stringify(allowedValues)}` };
    case 'const':
      return { path: dottedPath(instancePath), reason: `must be ${JSON.stringify(allowedValue)}` };
    case 'false schema':
      return { path: dottedPath(instancePath), reason: 'is not allowed' };
    default:
      return { path: dottedPath(instancePath), reason: message ?? 'does not fit the schema' };
  }
}

/** Converts the errors of AJV. Each fault has the path of the faulty part, and a reason of limited length. */
export function faultsOf(errors: readonly ErrorObject[] | null | undefined): SchemaFault[] {
  return (errors ?? [])
    .slice(0, MOST_FAULTS)
    .map(toFault)
    .map(({ path, reason }) => ({ path: shortened(path), reason: shortened(reason) }));
}
