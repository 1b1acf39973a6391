/// <reference lib="dom" />

/** An element that the page has for its script. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** Shows a message in red, and what to do next. */
export function showError(text: string): void {
  element('error').textContent = text;
  element('error').hidden = false;
  element('state').hidden = true;
  const retry = document.getElementById('retry');
  if (retry) retry.hidden = false;
}

/** The text of an answer that refuses. */
export function messageOf(body: unknown): string {
  const { error, error_description } = (body ?? {}) as { error?: { message?: unknown }; error_description?: unknown };
  if (typeof error_description === 'string') return error_description;
  return typeof error?.message === 'string' ? error.message : 'The server could not be reached.';
}

/** The server's refusal, in its words. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

function codeOf(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' ? error.code : undefined;
}

/** Sends JSON; throws with the server's message when it refuses. */
export async function send<Answer>(path: string, body: unknown, method = 'POST'): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = response.status === 204 ? {} : await response.json().catch(() => undefined);
  if (!response.ok) throw new Refused(messageOf(answer), codeOf(answer));
  return answer as Answer;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
