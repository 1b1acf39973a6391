import { readJson } from './core/calls.js';
import { createSend, type Call, type ClientOptions, type Send } from './core/transport.js';
import { resourcesOf, type Resources } from './generated/resources.js';

/** A client of an installation: its resources are `skills`, `agents`, `runs`, `prompts` and so on. */
export interface Millwright extends Resources {}

// The interface above adds the resources, which the constructor assigns.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above
export class Millwright {
  readonly #send: Send;

  /** @throws MillwrightError that names the option that is missing or not valid. */
  constructor(options: ClientOptions) {
    this.#send = createSend(options);
    Object.assign(this, resourcesOf(this.#send));
  }

  /** Any operation by its path, with the retries and errors of the others. */
  async request<Answer = unknown>(call: Call): Promise<Answer> {
    return readJson<Answer>(this.#send, call);
  }
}
