import type { Detection } from './detect.js';
import { replaceTexts, type TextRules } from './json-texts.js';
import { createRedactor, redactText, replacementOf, type Findings } from './redactor.js';
import { SECRET_NAME } from './secrets.js';

/** Length of the longest text that is redacted without yielding to the event loop. */
const PART = 16_384;

function rulesOf(detection: Detection, findings: Findings): TextRules {
  const action = detection.actions.get('secrets');
  return {
    text(text) {
      if (text.length > PART) return redactText(detection, text, findings);
      const redactor = createRedactor(detection, findings);
      return redactor.push(text) + redactor.end();
    },
    member(name, value) {
      if (action === undefined || typeof value !== 'string' || value.length < 4 || !SECRET_NAME.test(name))
        return undefined;
      if (value === replacementOf('secrets')) return undefined;
      findings.add('secrets', action);
      // Another guard may be stricter and may block or redact text that this guard only flags.
      return (replaced) => (action === 'flag' ? replaced : replacementOf('secrets'));
    },
  };
}

/** Redacts the strings, numbers and property names within a value. @returns the value itself when nothing was found */
export const redactValue = <Value>(detection: Detection, value: Value, findings: Findings): Promise<Value> =>
  replaceTexts(value, rulesOf(detection, findings));

/** Redacts a text that may be JSON. When it is JSON, its parsed values are redacted, so that escapes hide nothing. */
export const redactJsonText = (detection: Detection, text: string, findings: Findings): Promise<string> =>
  replaceTexts(text, rulesOf(detection, findings));
