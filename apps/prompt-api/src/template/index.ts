export {
  LONGEST_RENDERED_TEXT,
  RenderedTextTooLong,
  renderTemplate,
  tokenNames,
  tokensNamed,
  type RenderedPart,
  type RenderValues,
} from './render-template.js';
