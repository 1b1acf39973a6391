import { readJson } from './core/calls.js';
import { createSend, type Call, type ClientOptions, type Send } from './core/transport.js';
import { Resources } from './generated/resources.js';

/** A client of one installation. Its properties are the resources of the installation: `skills`, `agents`, `runs`, `prompts` and so on. */
export class Millwright extends Resources {
  readonly #send: Send;

  /** @throws MillwrightError if an option is missing or not valid; the message names the option */
  constructor(options: ClientOptions) {
    const send = createSend(options);
    super(send);
    this.#send = send;
  }

  /** Sends a request and returns the answer. The caller must read or cancel the body. */
  async send(call: Call): Promise<Response> {
    return this.#send(call);
  }

  /** Calls any operation by its path, with the same retries and errors as the other methods. */
  async request<Answer = unknown>(call: Call): Promise<Answer> {
    return readJson<Answer>(this.#send, call);
  }
}
