import { send, textOf } from './page.js';

/** Where a form leads: a path, the page again, or the URL that the answer holds under that name. */
function follow(form: HTMLFormElement, answer: Record<string, unknown>): void {
  const then = form.dataset['then'] ?? 'reload';
  if (then.startsWith('/')) location.assign(then);
  else if (then === 'reload') location.reload();
  else if (typeof answer[then] === 'string' && form.dataset['show'] === undefined) location.assign(answer[then]);
  else show(form, answer[then]);
}

/** What is shown once: a secret, or that there is none. */
function show(form: HTMLFormElement, value: unknown): void {
  const done = form.querySelector<HTMLElement>('.done');
  if (!done) return;
  if (typeof value === 'string') done.textContent = value;
  done.hidden = false;
}

/** A form that names an API sends its fields there as JSON. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-api]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const error = form.querySelector<HTMLElement>('.error');
    const button = form.querySelector('button');
    if (error) error.hidden = true;
    if (button) button.disabled = true;
    const body = Object.fromEntries(new FormData(form));
    send<Record<string, unknown>>(form.dataset['api'] ?? '', body, form.dataset['method'])
      .then((answer) => follow(form, answer))
      .catch((failure: unknown) => {
        if (!error) return;
        error.textContent = textOf(failure);
        error.hidden = false;
      })
      .finally(() => {
        if (button) button.disabled = false;
      });
  });
}
