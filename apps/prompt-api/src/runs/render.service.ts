import { invalidField } from '@millwright/errors';
import type { BlockStore } from '../blocks/blocks.store.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import { propertyNames, type SchemaValidator } from '@millwright/schemas';
import {
  RenderedTextTooLong,
  renderTemplate,
  tokenNames,
  tokensNamed,
  type RenderedPart,
  type RenderValues,
} from '../template/index.js';
import type { Reader, Referenced, ReferenceStore } from '../references/references.store.js';
import type { RenderInput } from './runs.contract.js';

export interface RenderedPrompt {
  static: string;
  state: string;
  dynamic: string;
  /** Names of the tokens found, each once, in the order static, state, dynamic. */
  tokens: string[];
  warnings: string[];
  references: Referenced['references'];
}

export type History = RenderValues['history'];

/** What one render or run brings. */
export type RunValues = Pick<RenderInput, 'message' | 'structured_data' | 'reference'>;

/** A prompt with everything that its rendering needs but the conversation. */
export interface PreparedPrompt {
  /** How often the template places the conversation. */
  historyTokens: number;
  /** @throws AppError validation_error when the values make the text too long. */
  render: (history: History) => RenderedPrompt;
}

/** Renders a prompt's three parts. The same version, input and blocks give the same bytes on every replica: nothing is kept between requests. */
export function createRenderService(
  validator: SchemaValidator,
  blocks: Pick<BlockStore, 'contents'>,
  referenceStore: ReferenceStore,
) {
  return {
    /** @throws AppError validation_error naming the path of what does not fit the input schema, or the reference to nothing. */
    async prepare(
      reader: Reader,
      prompt: StoredPrompt,
      { message, structured_data, reference = [] }: RunValues,
    ): Promise<PreparedPrompt> {
      const schema = prompt.input.resolved_schema;
      if (structured_data !== undefined) {
        const result = await validator.validate(`${prompt.id}:${prompt.version}:input`, schema, structured_data);
        if (!result.valid) {
          const [fault = { path: '', reason: 'does not fit the input schema' }] = result.faults;
          throw invalidField(['structured_data', fault.path].filter((part) => part !== '').join('.'), fault.reason);
        }
      }
      const { references, content } = await referenceStore.find(reader, reference);
      const values: Omit<RenderValues, 'history'> = {
        message,
        referencedContent: content,
        structuredData: structured_data ?? {},
        blocks: await blocks.contents(reader.project, possiblePrefixes(prompt)),
        inputProperties: propertyNames(schema),
      };
      const { static: fixed, state, dynamic } = prompt.instruction;
      return {
        historyTokens: tokensNamed('conversation.history', [fixed, state, dynamic].join('\n')),
        render: (history) => renderParts(prompt, { ...values, history }, references),
      };
    },
  };
}
const UNUSED_REFERENCE = 'No part of the prompt has {{referenced_content}}: what "reference" names was not inserted.';
export type RenderService = ReturnType<typeof createRenderService>;

function renderParts(
  { instruction }: StoredPrompt,
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

/** The names in the prompt's templates that a block may have. */
function possiblePrefixes({ instruction }: StoredPrompt): string[] {
  const names = [instruction.static, instruction.state, instruction.dynamic].flatMap(tokenNames);
  return [...new Set(names)].filter((name) => /^[a-zA-Z_]{1,100}$/.test(name));
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
