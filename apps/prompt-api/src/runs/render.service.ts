import type { Project } from '@millwright/auth';
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
import { unavailableWhenBusy } from '../unavailable-when-busy.js';
import type { RenderInput } from './runs.contract.js';

export interface RenderedPrompt {
  static: string;
  state: string;
  dynamic: string;
  /** Names of the tokens found, each once, in the order static, state, dynamic. */
  tokens: string[];
  warnings: string[];
}

export type History = RenderValues['history'];

/** A prompt with everything that its rendering needs but the conversation. */
export interface PreparedPrompt {
  /** How often the template places the conversation. */
  historyTokens: number;
  /** @throws AppError validation_error when the values make the text too long. */
  render: (history: History) => RenderedPrompt;
}

/** Renders a prompt's three parts. The same version, input and blocks give the same bytes on every replica: nothing is kept between requests. */
export function createRenderService(validator: SchemaValidator, blocks: Pick<BlockStore, 'contents'>) {
  return {
    /** @throws AppError validation_error naming the path of what does not fit the input schema. */
    async prepare(
      project: Project,
      prompt: StoredPrompt,
      { message, structured_data }: Pick<RenderInput, 'message' | 'structured_data'>,
    ): Promise<PreparedPrompt> {
      const schema = prompt.input.resolved_schema;
      if (structured_data !== undefined) {
        const result = await validator
          .validate(`${prompt.id}:${prompt.version}:input`, schema, structured_data)
          .catch(unavailableWhenBusy);
        if (!result.valid) {
          const [fault = { path: '', reason: 'does not fit the input schema' }] = result.faults;
          throw invalidField(['structured_data', fault.path].filter((part) => part !== '').join('.'), fault.reason);
        }
      }
      const values: Omit<RenderValues, 'history'> = {
        message,
        referencedContent: undefined,
        structuredData: structured_data ?? {},
        blocks: await blocks.contents(project, possiblePrefixes(prompt)),
        inputProperties: propertyNames(schema),
      };
      const { static: fixed, state, dynamic } = prompt.instruction;
      return {
        historyTokens: tokensNamed('conversation.history', [fixed, state, dynamic].join('\n')),
        render: (history) => renderParts(prompt, { ...values, history }),
      };
    },
  };
}
export type RenderService = ReturnType<typeof createRenderService>;

function renderParts({ instruction }: StoredPrompt, values: RenderValues): RenderedPrompt {
  const parts = {
    static: renderPart(instruction.static, values),
    state: renderPart(instruction.state, values),
    dynamic: renderPart(instruction.dynamic, values),
  };
  const inOrder = [parts.static, parts.state, parts.dynamic];
  return {
    static: parts.static.text,
    state: parts.state.text,
    dynamic: parts.dynamic.text,
    tokens: [...new Set(inOrder.flatMap(({ tokens }) => tokens))],
    warnings: [...new Set(inOrder.flatMap(({ warnings }) => warnings))],
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
