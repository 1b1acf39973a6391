// @ts-check
import { describe, it } from 'node:test';
import { RuleTester } from 'eslint';
import { retiredWords } from './retired-words.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const retired = (/** @type {string} */ word) => [{ message: new RegExp(`^"${word}"`) }];

new RuleTester().run('retired-words', retiredWords, {
  valid: [
    'const auditLog = lockAccount(); // Seals the audit log.',
    'row.tick; ({ tick: 1 }); const { tick: scheduledAt } = row;',
    "it('answers 409 when the name is taken', () => {}); send('told you so');",
    'const trailing = text.trimEnd();',
    "it('lists runs of their own project', () => {}); // The known files.",
  ],
  invalid: [
    { code: 'function holdAccount() {}', errors: retired('hold') },
    { code: 'const { tick } = row;', errors: retired('tick') },
    { code: 'const auditTrail = 1;', errors: retired('Trail') },
    { code: '/* Only area B calls this. */', errors: retired('area B') },
    { code: "it('is told once', () => {});", errors: retired('told') },
    { code: "it('says why', () => {});", errors: retired('says') },
    { code: '// A client that hears of it.', errors: retired('hears') },
    { code: "it('refuses an email that is none', () => {});", errors: retired('that is none') },
    { code: '// The text stays as it stands.', errors: retired('as it stands') },
    { code: '// A server that knows the client.', errors: retired('knows') },
    { code: "it('goes on after a failure', () => {});", errors: retired('goes on') },
    { code: '// Waits so many milliseconds.', errors: retired('so many') },
    { code: '// Each has a folder of its own.', errors: retired('of its own') },
    { code: "it('renders the text afresh', () => {});", errors: retired('afresh') },
    { code: "send('Ask area C.')", errors: retired('area C') },
    { code: 'send(`Look into the trail.`)', errors: retired('trail') },
    { code: '', filename: 'hold-account.ts', errors: retired('hold') },
  ],
});
