import type { Caller, Project } from '@millwright/auth';
import { newId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { withoutUndefined } from '../metadata/metadata.store.js';
import { checkSchema, mergeReferences, type SchemaFault, type SchemaValidator } from '@millwright/schemas';
import type { NewDefinition, NewPrompt, PromptChanges } from './prompts.contract.js';
import type { DefinitionKind, PromptStore, StoredDefinition, StoredPrompt } from './prompts.store.js';

/** Maximum number of definitions that one definition refers to, directly and through other definitions. */
const MAX_REFERENCED = 50;

/** The rules of prompts: schemas are safe to run, references exist and form no circle, versions are never overwritten. */
export function createPromptService(prompts: PromptStore, validator: Pick<SchemaValidator, 'of'>) {
  async function resolve(
    tx: Tx,
    project: Project,
    kind: DefinitionKind,
    id: string,
    sent: NewDefinition,
  ): Promise<StoredDefinition> {
    const reference = [...new Set(sent.reference)];
    // Without the lock, two concurrent transactions could close a circle, because neither of them reads the reference that the other adds.
    if (reference.length > 0) await prompts.lockReferences(tx, project);
    const resolved_schema = await merge(tx, project, kind, id, { schema: sent.schema, reference });
    return { ...sent, reference, id, resolved_schema };
  }

  async function merge(
    tx: Tx | undefined,
    project: Project,
    kind: DefinitionKind,
    self: string | undefined,
    { schema, reference }: Pick<NewDefinition, 'schema' | 'reference'>,
  ): Promise<Record<string, unknown>> {
    if (reference.length === 0) return schema;
    const resolved = mergeReferences(schema, await referencedSchemas(tx, project, kind, self, reference));
    const [fault] = checkSchema(resolved);
    if (fault) throw invalidField(`${kind}.reference`, `together with what is referenced, the schema ${fault.reason}`);
    return resolved as Record<string, unknown>;
  }

  /** Returns the schemas of all definitions that the references lead to, directly or through other definitions; nearest first. */
  async function referencedSchemas(
    tx: Tx | undefined,
    project: Project,
    kind: DefinitionKind,
    self: string | undefined,
    direct: readonly string[],
  ) {
    const schemas: object[] = [];
    const seen = new Set<string>();
    for (let wave = [...direct]; wave.length > 0;) {
      if (self !== undefined && wave.includes(self)) throw invalidField(`${kind}.reference`, 'refers back to itself');
      const found = await prompts.definitions(tx, project, kind, wave);
      const inOrder = wave.map((uuid) => {
        const definition = found.get(uuid);
        if (!definition) throw invalidField(`${kind}.reference`, `${uuid} does not exist`);
        seen.add(uuid);
        return definition;
      });
      if (seen.size > MAX_REFERENCED)
        throw invalidField(`${kind}.reference`, `reaches more than ${MAX_REFERENCED} definitions`);
      schemas.push(...inOrder.map(({ schema }) => schema));
      wave = [...new Set(inOrder.flatMap(({ reference }) => reference))].filter((uuid) => !seen.has(uuid));
    }
    return schemas;
  }

  /**
   * Checks the schemas of a request. Must be called before the transaction, which must not wait for this check.
   * @throws AppError validation_error for the invalid path in a schema; unavailable.
   */
  async function requireUsableSchemas(project: Project, sent: Pick<PromptChanges, DefinitionKind>): Promise<void> {
    for (const kind of ['input', 'output'] as const) {
      const schema = sent[kind]?.schema;
      const [fault] = schema ? await validator.of(project).compile(schema) : [];
      if (fault) throw invalidField(fieldOf(kind, fault), fault.reason);
    }
  }

  return {
    requireUsableSchemas,

    /**
     * Returns the schema that a definition would have if it were saved now.
     *
     * @throws AppError validation_error for an invalid schema or reference; unavailable.
     */
    async schemaOf(
      project: Project,
      kind: DefinitionKind,
      sent: Pick<NewDefinition, 'schema' | 'reference'>,
    ): Promise<Record<string, unknown>> {
      await requireUsableSchemas(project, { [kind]: sent });
      return merge(undefined, project, kind, undefined, { ...sent, reference: [...new Set(sent.reference)] });
    },

    async create(tx: Tx, caller: Caller, sent: NewPrompt): Promise<StoredPrompt> {
      const input = await resolve(tx, caller.project, 'input', newId(), sent.input);
      const output = await resolve(tx, caller.project, 'output', newId(), sent.output);
      const { instruction, model_parameters, metadata } = sent;
      return prompts.create(tx, caller, { instruction, input, output, model_parameters, metadata });
    },

    /**
     * Changes a prompt. Fields are merged one level deep; schemas and arrays are replaced as a whole.
     *
     * @throws AppError conflict when `metadata.version` is not current.
     */
    async update(
      tx: Tx,
      caller: Caller,
      id: string,
      ifMatch: readonly number[] | undefined,
      changes: PromptChanges,
    ): Promise<StoredPrompt> {
      const current = await prompts.lock(tx, caller.project, id, ifMatch);
      const { version, ...metadata } = changes.metadata ?? {};
      if (version !== undefined && version !== current.version) throw new AppError('conflict');
      const definition = (kind: DefinitionKind) => {
        const { id: definitionId, name, description, type, reference, schema } = current[kind];
        const merged = { name, description, type, reference, schema, ...withoutUndefined(changes[kind]) };
        return resolve(tx, caller.project, kind, definitionId, merged);
      };
      return prompts.addVersion(
        tx,
        caller,
        current,
        {
          instruction: { ...current.instruction, ...withoutUndefined(changes.instruction) },
          input: await definition('input'),
          output: await definition('output'),
          model_parameters: changes.model_parameters ?? current.model_parameters,
          metadata: { ...current.metadata, ...withoutUndefined(metadata) },
        },
        'prompt.update',
      );
    },

    /**
     * Creates a new version with the content of an earlier version; both versions render the same. The references must still exist.
     * @throws AppError not_found, precondition_failed; validation_error for a definition whose references no longer exist.
     */
    async restore(
      tx: Tx,
      caller: Caller,
      earlier: StoredPrompt,
      ifMatch: readonly number[] | undefined,
    ): Promise<StoredPrompt> {
      const current = await prompts.lock(tx, caller.project, earlier.id, ifMatch);
      const { instruction, input, output, model_parameters, metadata } = earlier;
      await resolve(tx, caller.project, 'input', input.id, input);
      await resolve(tx, caller.project, 'output', output.id, output);
      const log_message = `Restored version ${earlier.version}`;
      return prompts.addVersion(
        tx,
        caller,
        current,
        { instruction, input, output, model_parameters, metadata: { ...metadata, log_message } },
        'prompt.restore',
      );
    },

    /** @throws AppError not_found, precondition_failed, conflict while another prompt refers to one of its definitions. */
    async remove(
      tx: Tx,
      caller: Caller,
      id: string,
      { ifMatch, reason }: { ifMatch: readonly number[] | undefined; reason: string | undefined },
    ): Promise<void> {
      const current = await prompts.lock(tx, caller.project, id, ifMatch);
      // The lock prevents other transactions from adding references to this prompt.
      await prompts.lockReferences(tx, caller.project);
      if (await prompts.isReferredTo(tx, caller.project, current)) throw new AppError('conflict');
      await prompts.remove(tx, caller, current, reason);
    },
  };
}
export type PromptService = ReturnType<typeof createPromptService>;

function fieldOf(kind: DefinitionKind, { path }: SchemaFault): string {
  return path === '' ? `${kind}.schema` : `${kind}.schema.${path}`;
}
