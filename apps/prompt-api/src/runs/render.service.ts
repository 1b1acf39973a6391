import { invalidField } from '@millwright/errors';
import type { BlockStore } from '../blocks/blocks.store.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import { propertyNames, type SchemaValidator } from '@millwright/schemas';
import {
  RenderedTextTooLong,
  renderTemplate,
  tokenNames,
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

/** Renders a prompt's three parts. The same version, input and blocks give the same bytes on every replica: nothing is kept between requests. */
export function createRenderService(
  validator: SchemaValidator,
  blocks: Pick<BlockStore, 'contents'>,
  referenceStore: ReferenceStore,
) {
  return {
    /** @throws AppError validation_error naming the path of what does not fit the input schema, or the reference to nothing. */
    async render(
      reader: Reader,
      prompt: StoredPrompt,
      { message, structured_data, reference = [] }: RenderInput,
      history: History,
    ): Promise<RenderedPrompt> {
      const schema = prompt.input.resolved_schema;
      if (structured_data !== undefined) {
        const result = await validator.validate(`${prompt.id}:${prompt.version}:input`, schema, structured_data);
        if (!result.valid) {
          const [fault = { path: '', reason: 'does not fit the input schema' }] = result.faults;
          throw invalidField(['structured_data', fault.path].filter((part) => part !== '').join('.'), fault.reason);
        }
      }
      const { references, content } = await referenceStore.find(reader, reference);
      const values: RenderValues = {
        message,
        history,
        referencedContent: content,
        structuredData: structured_data ?? {},
        blocks: await blocks.contents(reader.project, possiblePrefixes(prompt)),
        inputProperties: propertyNames(schema),
      };
      const parts = {
        static: renderPart(prompt.instruction.static, values),
        state: renderPart(prompt.instruction.state, values),
        dynamic: renderPart(prompt.instruction.dynamic, values),
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
    },
  };
}
const UNUSED_REFERENCE = 'No part of the prompt has {{referenced_content}}: what "reference" names was not inserted.';
export type RenderService = ReturnType<typeof createRenderService>;

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
