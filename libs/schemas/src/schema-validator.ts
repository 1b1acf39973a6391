import { createHash } from 'node:crypto';
import { AppError } from '@millwright/errors';
import { createBudgetedWorker, type BudgetedWorker, type WorkerOutcome } from './budgeted-worker.js';
import { checkSchema } from './check-schema.js';
import { createFairQueue } from './fair-queue.js';
import type { SchemaFault } from './schema-fault.js';
import type { SchemaRequest } from './schema-messages.js';

/** The validator of schemas for one project. */
export interface ProjectSchemas {
  /**
   * Checks a value against a schema that `checkSchema` has passed. `key` identifies the exact content of the schema,
   * such as the id of a prompt version: the first schema under a key is used for all later requests. Each fault has a
   * path into the value.
   *
   * @throws SchemaValidatorBusy when the validator is too busy
   */
  validate(
    key: string,
    schema: object,
    instance: unknown,
  ): Promise<{ valid: true } | { valid: false; faults: SchemaFault[] }>;
  /**
   * Finds the faults that make a schema unusable: first with `checkSchema`, then by a compilation within the budgets.
   *
   * @throws SchemaValidatorBusy when the validator is too busy
   */
  compile(schema: unknown): Promise<SchemaFault[]>;
}

export interface SchemaValidator {
  /**
   * The checks for one project. Projects are served in turn: expensive schemas of a project delay only the project's
   * own checks.
   */
  of(project: string): ProjectSchemas;
  /** Ends the workers. Waiting requests are rejected. */
  close(): Promise<void>;
}

export interface SchemaValidatorOptions {
  /** Processor time that a worker may use for one compilation or validation, in milliseconds. */
  timeoutMs?: number;
  /**
   * Total time that a request may take after its start in a worker, in milliseconds. It is longer than `timeoutMs`, because the machine may
   * be busy.
   */
  patienceMs?: number;
  memoryMb?: number;
  workers?: number;
  /** The built `schema.worker.ts`. Default: the file beside the bundle that contains this module. */
  workerUrl?: URL;
}

/** Returns the key for a schema that has no id. Schemas with equal content have equal keys. */
export const schemaKey = (schema: object): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('base64url');

/** Error for a check that was not made because the validator is too busy. The request is answered 503. */
export class SchemaValidatorBusy extends AppError {
  constructor(reason: string) {
    super('unavailable', { cause: new Error(reason) });
    this.name = 'SchemaValidatorBusy';
  }
}

const MOST_WAITING = 1000;
const MOST_WAITING_OF_PROJECT = 500;
const COMPILE_LANE = '';

function faultsIn(outcome: WorkerOutcome): SchemaFault[] {
  switch (outcome.kind) {
    case 'checked':
      return outcome.faults;
    case 'out of time':
      return [{ path: '', reason: 'takes too long to check' }];
    case 'out of memory':
      return [{ path: '', reason: 'takes too much memory to check' }];
    case 'starved':
      throw new SchemaValidatorBusy('The machine is too busy to check schemas');
    case 'schema wanted':
      throw new Error('The schema worker asked twice for a schema');
  }
}

async function runRequest(worker: BudgetedWorker, request: SchemaRequest): Promise<WorkerOutcome> {
  const known = request.kind === 'validate' && worker.knows(request.key);
  const outcome = await worker.run(known ? { ...request, schema: undefined } : request);
  // Repeats the request with its schema. After `out of memory`, the request is repeated, too: the schemas in the cache may have used up the
  // memory, and the new worker has an empty cache.
  return outcome.kind === 'schema wanted' || outcome.kind === 'out of memory' ? worker.run(request) : outcome;
}

/**
 * Compiles and validates schemas of users in worker threads with limits of time and memory. Projects and schemas are
 * served in turn.
 */
export function createSchemaValidator(options: SchemaValidatorOptions = {}): SchemaValidator {
  const { timeoutMs = 250, patienceMs = 5_000, memoryMb = 64, workers = 2 } = options;
  const { workerUrl = new URL('./schema.worker.js', import.meta.url) } = options;
  const pool = Array.from({ length: workers }, () =>
    createBudgetedWorker({ workerUrl, timeoutMs, patienceMs, memoryMb }),
  );
  const idle = [...pool];
  const queue = createFairQueue<(worker: BudgetedWorker) => Promise<void>>();
  let closed = false;

  function dispatch(): void {
    while (idle.length > 0 && queue.size > 0) {
      const worker = idle.pop();
      const job = queue.take();
      if (!worker || !job) return;
      void job(worker).finally(() => {
        idle.push(worker);
        dispatch();
      });
    }
  }

  function enqueue(project: string, lane: string, request: SchemaRequest): Promise<SchemaFault[]> {
    if (queue.size >= MOST_WAITING || queue.sizeOf(project) >= MOST_WAITING_OF_PROJECT)
      return Promise.reject(new SchemaValidatorBusy('Too many schema checks are waiting'));
    return new Promise((resolve, reject) => {
      queue.add(project, lane, (worker) =>
        (closed ? Promise.reject(new Error('The schema validator is closed')) : runRequest(worker, request))
          .then(faultsIn)
          .then(resolve, reject),
      );
      dispatch();
    });
  }

  return {
    of: (project) => ({
      async validate(key, schema, instance) {
        const faults = await enqueue(project, `validate ${key}`, { kind: 'validate', key, schema, instance });
        return faults.length === 0 ? { valid: true } : { valid: false, faults };
      },
      async compile(schema) {
        const faults = checkSchema(schema);
        if (faults.length > 0) return faults;
        return enqueue(project, COMPILE_LANE, { kind: 'compile', schema: schema as object });
      },
    }),
    async close() {
      closed = true;
      await Promise.all(pool.map((worker) => worker.close()));
    },
  };
}
