import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument, Endpoint } from '@millwright/http/reference';
import { limitHeaderFaults, type ClientAnswer } from '@millwright/testing';

/**
 * Headers that an answer must have because of its status, in addition to the limit headers (RFC 9110 §11.6.1, §15.5.6,
 * §10.2.3).
 */
const OWED: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Returns the data of each event in the text of a stream. If the schema of the answer is that of a string, it describes the whole text instead. */
const eventData = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as unknown);

export type AnswerCheck = (
  endpoint: Endpoint,
  sent: { headers: Record<string, string> },
  answer: ClientAnswer,
) => string[];

/** Lists every difference between an answer and the description of the answer in the document. */
export function createAnswerCheck(document: ApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'api', ...document });
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = ({ method, path }: Endpoint, status: number, type: string) => {
    const steps = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content', type, 'schema'];
    const pointer = steps
      .map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/');
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };

  return (endpoint, sent, answer) => {
    const { status, headers, text, body } = answer;
    const faults = limitHeaderFaults(answer);
    if (status >= 500) faults.push(`status ${status}: ${text.slice(0, 300)}`);
    if (!headers.get('x-request-id')) faults.push('X-Request-Id is missing');
    const owed = OWED[status];
    if (owed !== undefined && !headers.get(owed)) faults.push(`${owed} is missing`);
    if (status === 304 && sent.headers['if-none-match'] !== undefined) return faults;
    const response = endpoint.operation.responses[status];
    if (!response) return [...faults, `status ${status} is not in the document: ${text.slice(0, 300)}`];
    const types = Object.keys(response.content ?? {});
    const named = (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
    const type = types.includes('*/*') && named !== 'application/json' ? '*/*' : named;
    if (types.length === 0)
      return text === '' ? faults : [...faults, `status ${status} has a body: ${text.slice(0, 100)}`];
    if (!types.includes(type)) return [...faults, `status ${status} is ${type} instead of ${types.join(' or ')}`];
    const validate = validatorOf(endpoint, status, type);
    const ofEvents = type === 'text/event-stream' && response.content?.[type]?.schema?.type !== 'string';
    const values = ofEvents ? eventData(text) : [type.endsWith('json') ? body : text];
    if (!values.every((value) => validate(value)))
      faults.push(`status ${status} breaks its schema: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`);
    return faults;
  };
}
