import { jsonTypeOf, type AnswerForm } from '@millwright/errors';
import { needsCredential, needsFreshProof, rolesFor, scopeOf, scopesOf, type Access } from '../contract/access.js';
import type { EndpointContract } from '../contract/contract.js';

/** The first sentence of a contract's summary, without its full stop. */
export function summaryOf({ summary }: EndpointContract): string {
  return sentences(summary)[0].replace(/\.$/, '');
}

/**
 * Makes the description of an operation: the sentences after the summary, and sentences about access, retries, conditions and the form of
 * the answer.
 */
export function descriptionOf(area: AnswerForm, contract: EndpointContract, takesKey: boolean): string {
  const [, ...rest] = sentences(contract.summary);
  const { access, feed, stream, events, upload, text, success } = contract;
  const roles = rolesFor(access);
  const scope = scopeOf(access);
  return [
    ...rest.map(ended),
    ...(contract.description === undefined ? [] : [ended(contract.description)]),
    scope !== undefined
      ? `Requires the scope ${scopesOf(access)
          .map((one) => `\`${one}\``)
          .join(' or ')}.`
      : '',
    roles ? `For accounts with the role ${roles.map((role) => `\`${role}\``).join(' or ')}.` : '',
    needsCredential(access) ? ((scope ?? roles) ? '' : 'Requires a credential.') : 'Needs no credential.',
    needsFreshProof(access) ? 'Requires a recent proof by passkey.' : '',
    upload ? 'The body is a multipart form with one file.' : '',
    contract.largeBody
      ? 'The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project.'
      : '',
    text !== undefined ? `The body is a text of type \`${text}\`.` : '',
    feed ? 'The answer is a stream of server-sent events, which `Last-Event-ID` resumes.' : '',
    stream ? 'With `Accept: text/event-stream` the answer is a stream of server-sent events.' : '',
    events ? `With \`stream: true\` the answer is a stream of server-sent events.` : '',
    success.file ? 'The answer is the bytes; a range of them by `Range`.' : '',
    success.file && success.body ? `With \`Accept: ${jsonTypeOf(area)}\` it is the record.` : '',
    contract.long ? 'A model is called: the answer may take minutes.' : '',
    contract.expensive ? `Few of these requests run at once for ${expensiveFor(access)}; the others wait.` : '',
    takesKey ? 'With an `Idempotency-Key` a repeated request is safe.' : '',
    takesIfMatch(contract) ? 'With `If-Match`, a record that has changed since is left alone (412).' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const expensiveFor = (access: Access) => (needsCredential(access) ? 'a user and a project' : 'an IP address');

/** Whether `If-Match` refers to the record that the path names. A POST without parameters names no record. */
export const takesIfMatch = ({ errors, method, params }: EndpointContract): boolean =>
  errors.includes('precondition_failed') && (method !== 'POST' || params !== undefined);

const sentences = (text: string): [string, ...string[]] => text.split(/(?<=\.) (?=[A-Z])/) as [string, ...string[]];

const ended = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
