export { inspectTemplate, type TemplateFinding } from './inspect-template.js';
export {
  LONGEST_RENDERED_TEXT,
  neededPrefixes,
  possiblePrefixes,
  RenderedTextTooLong,
  renderTemplate,
  sourceOf,
  tokenNames,
  tokensNamed,
  type RenderedPart,
  type RenderValues,
} from './render-template.js';
