import { Ajv, type ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import { type JsonObject } from '@millwright/json';
import { faultsOf } from './ajv-faults.js';
import { compilePattern } from './pattern.js';
import type { SchemaFault } from './schema-fault.js';
import { withoutKeywords } from './walk-schema.js';
import { MOST_SCHEMAS, type SchemaReply, type SchemaRequest } from './schema-messages.js';

/** The engine of AJV for patterns, which matches in linear time. AJV requires the property `code`, but uses it only in standalone modules. */
const linearRegExp = Object.assign((pattern: string) => compilePattern(pattern), { code: 'linearRegExp' });

/**
 * Compiles a schema with a separate AJV instance, because an instance keeps everything that it ever compiled.
 * `inlineRefs` is off, because inlining a large schema at each of its references would multiply the code.
 */
function compileSchema(schema: object): ValidateFunction {
  return new Ajv({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    ownProperties: true,
    inlineRefs: false,
    code: { regExp: linearRegExp },
  }).compile(withoutKeywords(schema as JsonObject, '$schema', '$id'));
}

const checked = (faults: SchemaFault[]): SchemaReply => ({ kind: 'checked', faults });

function asFault(error: unknown): SchemaFault {
  if (error instanceof RangeError) return { path: '', reason: 'is nested too deeply to check' };
  const text = error instanceof Error ? error.message.slice(0, 200) : 'unknown fault';
  return { path: '', reason: `the schema cannot be used: ${text}` };
}

/**
 * Answers requests from a cache of at most 500 compiled schemas, which drops the least recently used first. The function runs in the
 * worker.
 */
export function createCompiledSchemas(): { answer: (request: SchemaRequest) => SchemaReply } {
  const compiled = new LRUCache<string, ValidateFunction>({ max: MOST_SCHEMAS });

  function take(key: string, schema: object | undefined): ValidateFunction | undefined {
    const validate = compiled.get(key) ?? (schema && compileSchema(schema));
    if (!validate) return undefined;
    compiled.set(key, validate);
    return validate;
  }

  function answer(request: SchemaRequest): SchemaReply {
    if (request.kind === 'compile') {
      compileSchema(request.schema);
      return checked([]);
    }
    const validate = take(request.key, request.schema);
    if (!validate) return { kind: 'schema wanted' };
    return checked(validate(request.instance) ? [] : faultsOf(validate.errors));
  }

  return {
    answer(request) {
      try {
        return answer(request);
      } catch (error) {
        return checked([asFault(error)]);
      }
    },
  };
}
