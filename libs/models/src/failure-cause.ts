import { EgressError } from '@millwright/egress';
import { removeCredentials } from '@millwright/errors';
import { APIError } from 'openai/core/error';
import { describeFailure, type Failure } from './failures.js';

/** The reason why a call of a model failed, for admins. */
export interface FailureCause {
  kind: Failure['outcome'];
  /** HTTP status of the model's server; null when the server sent no answer. */
  status: number | null;
  /** The server's error message, or the error message of the connection, without credentials. */
  text: string;
  /** Text that explains the remedy to an admin. */
  advice: string;
}

/** Maximum length of the stored text, in characters. */
const TEXT_LENGTH = 500;
const MOST_CAUSES = 5;

const ADVICE_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'The server refuses the request. Check the parameters and the name of the model at the server.',
  401: 'The server refuses the API key. Check it.',
  402: 'The account at the provider has no credit left.',
  403: 'The API key may not use this model. Check the key and its permissions at the provider.',
  404: 'The server has no such model or address. Check the base address and the name of the model at the server.',
};

const ADVICE: Readonly<Record<FailureCause['kind'], string>> = {
  rejected: 'The server refuses the request. Check the parameters and the name of the model at the server.',
  rate_limited: 'The provider limits how much may be sent. Wait, or raise the limit at the provider.',
  failed: 'The server has a fault of its own. Try again later.',
  unreachable: 'No server answers at the base address. Check it, and that the server is running.',
  timeout: 'The server did not answer in time. Try again, or use another model.',
  garbage: 'The answer is not that of an OpenAI-compatible API. Check the base address: it usually ends in /v1.',
};
const NOT_ALLOWED =
  'This installation does not allow calls to the address. An operator allows it by EGRESS_ALLOW, EGRESS_ALLOW_HTTP or EGRESS_ALLOW_LOOPBACK.';

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MOST_CAUSES; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** Returns the server's message in an error of the OpenAI client, without the status with which the client begins the text. */
const wordsOf = ({ status, message }: APIError): string =>
  status === undefined ? message : message.replace(new RegExp(`^${status} `), '');

const CONTROLS = /[\p{Cc}\p{Cf}\s]+/gu;

/**
 * The cause of a failed try. The model's own key is removed from its text, as is everything that looks like a
 * credential.
 */
export function failureCause(error: unknown, apiKey?: string): FailureCause {
  const { outcome: kind } = describeFailure(error);
  const causes = causesOf(error);
  const fromServer = causes.find((cause): cause is APIError => cause instanceof APIError && cause.status !== undefined);
  const isRefused = causes.some((cause) => cause instanceof EgressError && cause.kind === 'refused');
  const words = fromServer ? wordsOf(fromServer) : (causes.at(-1)?.message ?? 'The call failed.');
  const withoutKey = apiKey ? words.replaceAll(apiKey, '[removed]') : words;
  const text = removeCredentials(withoutKey.replaceAll(CONTROLS, ' ').trim(), TEXT_LENGTH);
  const status = fromServer?.status ?? null;
  const advice = isRefused ? NOT_ALLOWED : (status !== null && ADVICE_BY_STATUS[status]) || ADVICE[kind];
  return { kind, status, text, advice };
}
