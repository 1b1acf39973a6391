export type { ExtractFailure } from './block.js';
export type { CutPassage } from './cut-passages.js';
export { readDocument, runExtraction, type Extraction, type ExtractionBudget } from './run-extraction.js';
