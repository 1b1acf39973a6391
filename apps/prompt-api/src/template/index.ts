export { countTokens, countTokensInTurns } from './count-tokens.js';
export {
  LONGEST_RENDERED_TEXT,
  RenderedTextTooLong,
  renderTemplate,
  tokenNames,
  type RenderedPart,
  type RenderValues,
} from './render-template.js';
