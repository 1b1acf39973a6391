import { ApiError } from '../api/client.js';

interface Refusal {
  error?: { code?: unknown; message?: unknown };
  /** Error text of the token endpoint (RFC 6749 §5.2). */
  error_description?: unknown;
}

/** Posts JSON, and resolves with the JSON of the answer. @throws ApiError if the server answers with an error or cannot be reached */
export async function post<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(0, 'unreachable', 'The server could not be reached. Check your connection.');
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response, answer ?? {});
  return answer as Answer;
}

function refusalOf({ status, headers }: Response, { error, error_description }: Refusal): ApiError {
  const texts = [error_description, error?.message, `The server answered ${status}.`];
  const text = texts.find((each) => typeof each === 'string') ?? '';
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  return new ApiError(status, code, text, headers.get('x-request-id'));
}

/** Reads a form's values by field name. */
export const fieldsOf = (form: HTMLFormElement) => Object.fromEntries(new FormData(form));
