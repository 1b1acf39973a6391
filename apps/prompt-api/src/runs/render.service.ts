import { invalidField } from '@millwright/errors';
import { requireAllowed, type Guards } from '@millwright/guards';
import type { BlockStore } from '../blocks/blocks.store.js';
import type { Instruction } from '../prompts/prompts.contract.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import { propertyNames, type SchemaValidator } from '@millwright/schemas';
import {
  inspectTemplate,
  neededPrefixes,
  RenderedTextTooLong,
  renderTemplate,
  sourceOf,
  tokensNamed,
  type RenderedPart,
  type RenderValues,
  type TemplateFinding,
} from '@millwright/catalog/template';
import type { Reader, Referenced, ReferenceStore } from '../references/references.store.js';
import type { RenderInput } from './runs.contract.js';

export interface RenderedPrompt {
  static: string;
  state: string;
  dynamic: string;
  /** Names of the tokens in the parts static, state and dynamic, in this order, each once. */
  tokens: string[];
  warnings: string[];
  references: Referenced['references'];
}

export type History = RenderValues['history'];

/** Values that a request to render or run a prompt contains. */
export type RunValues = Pick<RenderInput, 'message' | 'structured_data' | 'reference'>;

/** A prompt with everything that its rendering needs except the conversation. */
export interface PreparedPrompt {
  /** The request's values, redacted for storage. */
  sent: Pick<RunValues, 'message' | 'structured_data'>;
  /** Number of tokens that insert the conversation. */
  historyTokens: number;
  /** @throws AppError validation_error when the values make the text too long. */
  render: (history: History) => RenderedPrompt;
}

const NOTHING: RenderedPrompt = { static: '', state: '', dynamic: '', tokens: [], warnings: [], references: [] };

/** Prepares the message of a run that names a model and no prompt. @throws AppError guard_blocked */
export async function prepareMessage(message: string | undefined, guards: Guards): Promise<PreparedPrompt> {
  const sent = requireAllowed(await guards.value('input', { message }));
  return { sent, historyTokens: 0, render: () => NOTHING };
}

export interface RenderedDraft extends RenderedPrompt {
  /** Names of the tokens, each with the source of its value; null for a token without a source. */
  sources: { name: string; source: 'built_in' | 'input' | 'block' | null }[];
  findings: (TemplateFinding & { part: keyof Instruction })[];
}

const PARTS = ['static', 'state', 'dynamic'] as const;

/**
 * Renders a prompt's three parts. The same version, input and blocks give the same bytes on every replica, because nothing is cached from
 * one request to the next.
 */
export function createRenderService(
  validator: SchemaValidator,
  blocks: Pick<BlockStore, 'contents'>,
  referenceStore: ReferenceStore,
) {
  async function requireFit(
    { project }: Pick<Reader, 'project'>,
    key: string,
    schema: object,
    structuredData: object | undefined,
  ): Promise<void> {
    if (structuredData === undefined) return;
    const result = await validator.of(project).validate(key, schema, structuredData);
    if (result.valid) return;
    const [fault = { path: '', reason: 'does not fit the input schema' }] = result.faults;
    throw invalidField(['structured_data', fault.path].filter((part) => part !== '').join('.'), fault.reason);
  }

  async function collectValues(
    reader: Reader,
    instruction: Instruction,
    schema: object,
    { message, structured_data, reference = [] }: RunValues,
  ) {
    const { references, content } = await referenceStore.find(reader, reference);
    const given = {
      message,
      referencedContent: content,
      structuredData: structured_data ?? {},
      inputProperties: propertyNames(schema),
    };
    const values: Omit<RenderValues, 'history'> = {
      ...given,
      blocks: await blocks.contents(reader.project, neededPrefixes(instruction, given)),
    };
    return { references, values };
  }

  return {
    /** @throws AppError validation_error for the path of a value that does not fit the input schema. */
    requireFit,

    /**
     * Checks the original values against the input schema. The prompt is rendered with the values that the guards have redacted.
     *
     * @throws AppError validation_error for the path of a value that does not fit the input schema, and for an unknown reference; guard_blocked.
     */
    async prepare(reader: Reader, prompt: StoredPrompt, sent: RunValues, guards: Guards): Promise<PreparedPrompt> {
      const { instruction } = prompt;
      const schema = prompt.input.resolved_schema;
      await requireFit(reader, `${prompt.id}:${prompt.version}:input`, schema, sent.structured_data);
      const { references, values: found } = await collectValues(reader, instruction, schema, sent);
      const values = { ...found, ...(await guardedValues(guards, found)) };
      const { static: fixed, state, dynamic } = instruction;
      return {
        sent: { message: values.message, ...(sent.structured_data && { structured_data: values.structuredData }) },
        historyTokens: tokensNamed('conversation.history', [fixed, state, dynamic].join('\n')),
        render: (history) => renderParts(instruction, { ...values, history }, references),
      };
    },

    /**
     * Renders unsaved instructions, and inspects their templates.
     *
     * @throws AppError validation_error when the values make the text too long.
     */
    async renderDraft(
      reader: Reader,
      instruction: Instruction,
      schema: object,
      sent: Omit<RunValues, 'reference'>,
    ): Promise<RenderedDraft> {
      const { references, values } = await collectValues(reader, instruction, schema, sent);
      // Without this check, a caller with only prompts:read could read every block by writing its prefix into a draft.
      if (!reader.scopes.has('blocks:read')) values.blocks = new Map();
      const rendered = renderParts(instruction, { ...values, history: [] }, references);
      const isKnown = (name: string) => sourceOf(name, values) !== undefined;
      return {
        ...rendered,
        sources: rendered.tokens.map((name) => ({ name, source: sourceOf(name, values) ?? null })),
        findings: PARTS.flatMap((part) =>
          inspectTemplate(instruction[part], isKnown).map((finding) => ({ part, ...finding })),
        ),
      };
    },
  };
}
/** Redacts the values that people and other services wrote. The prompt's own texts are not redacted. @throws AppError guard_blocked */
async function guardedValues(
  guards: Guards,
  { message, structuredData, referencedContent }: Omit<RenderValues, 'history'>,
): Promise<Pick<RenderValues, 'message' | 'structuredData' | 'referencedContent'>> {
  const sent = requireAllowed(await guards.value('input', { message, structuredData }));
  const { value } = await guards.value('input', { referencedContent });
  return { ...sent, ...value };
}

const UNUSED_REFERENCE = 'No part of the prompt has {{referenced_content}}: what "reference" names was not inserted.';
export type RenderService = ReturnType<typeof createRenderService>;

function renderParts(
  instruction: Instruction,
  values: RenderValues,
  references: Referenced['references'],
): RenderedPrompt {
  const parts = {
    static: renderPart(instruction.static, values),
    state: renderPart(instruction.state, values),
    dynamic: renderPart(instruction.dynamic, values),
  };
  const inOrder = [parts.static, parts.state, parts.dynamic];
  const tokens = [...new Set(inOrder.flatMap((part) => part.tokens))];
  const unused = references.length > 0 && !tokens.includes('referenced_content') ? [UNUSED_REFERENCE] : [];
  return {
    static: parts.static.text,
    state: parts.state.text,
    dynamic: parts.dynamic.text,
    tokens,
    warnings: [...new Set([...inOrder.flatMap(({ warnings }) => warnings), ...unused])],
    references,
  };
}

/** @throws AppError validation_error when the values make the text too long. */
function renderPart(template: string, values: RenderValues): RenderedPart {
  try {
    return renderTemplate(template, values);
  } catch (error) {
    if (error instanceof RenderedTextTooLong) throw invalidField('message', 'makes the rendered text too long');
    throw error;
  }
}
