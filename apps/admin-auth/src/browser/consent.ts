import { element, send, showError, textOf } from './page.js';

const form = element('consent');
const request = form.dataset['request'] ?? '';
const buttons = form.querySelectorAll('button');

async function decide(decision: string): Promise<void> {
  for (const button of buttons) button.disabled = true;
  element('error').hidden = true;
  element('state').hidden = false;
  try {
    const { location: next } = await send<{ location: string }>('/admin/api/consents', { request, decision });
    location.replace(next);
  } catch (error) {
    showError(textOf(error));
    for (const button of buttons) button.disabled = false;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { submitter } = event;
  void decide(submitter instanceof HTMLButtonElement ? submitter.value : 'deny');
});
if (form.dataset['remembered'] !== undefined) void decide('approve');
