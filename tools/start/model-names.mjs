// @ts-check
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * Returns the names of the configured models, the default model first: the model of MODEL_*, then the models of MODELS_FILE. A file that cannot be
 * read counts as a file without models, because the services report its faults when they start.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {string[]}
 */
export function modelNames({ MODEL_NAME, MODELS_FILE }) {
  return [...(MODEL_NAME ? [MODEL_NAME] : []), ...(MODELS_FILE ? namesIn(MODELS_FILE) : [])];
}

/** @param {string} file */
function namesIn(file) {
  try {
    /** @type {unknown} */
    const content = parse(readFileSync(file, 'utf8'));
    const { models } = /** @type {{ models: { name: unknown }[] }} */ (content);
    return models.map(({ name }) => String(name));
  } catch {
    return [];
  }
}
