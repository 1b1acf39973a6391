// @ts-check
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * The names of the models that will answer, the default one first: the one of MODEL_*, then those of MODELS_FILE. Empty without any,
 * and where the file cannot be read: the services name its faults when they start.
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
