export type { ExtractFailure } from './block.js';
export type { CutPassage } from './cut-passages.js';
export {
  IMAGE_PIXELS,
  IMAGE_SIDE,
  IMAGE_TYPES,
  inspectImage,
  type ImageFailure,
  type ImageType,
  type InspectedImage,
} from './inspect-image.js';
export { isBase64 } from './is-base64.js';
export { readDocument, runExtraction, type Extraction, type ExtractionBudget } from './run-extraction.js';
