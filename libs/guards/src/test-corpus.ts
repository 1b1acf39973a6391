import type { BuiltInGuard } from './guard.js';

/** A text and the part that a guard must find. The secrets are invented, and written so that source scanners do not report them. */
export interface CorpusText {
  guard: BuiltInGuard;
  text: string;
  value: string;
}

const a = (length: number, letters = 'aB3dE6gH9') =>
  letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
const key = (kind: string) =>
  [`-----BEGIN ${kind}`, `PRIVATE KEY-----\n${a(64)}\n${a(64)}\n${a(20)}==\n-----END ${kind}`, 'PRIVATE KEY-----'].join(
    kind === '' ? '' : ' ',
  );
const of = (guard: BuiltInGuard) => (value: string, text: string) => ({
  guard,
  value,
  text: text.replace('%', () => value),
});
const [secret, email, phone, card, iban] = [of('secrets'), of('email'), of('phone'), of('card'), of('iban')];

/** Texts with one secret or personal datum each. */
export const CORPUS: readonly CorpusText[] = [
  secret(['AKIA', 'IOSFODNN7EXAMPLE'].join(''), 'Use % for the bucket.'),
  secret(`ghp_${a(36)}`, 'Clone with the token %, please.'),
  secret(`github_pat_${a(60)}`, 'token=%'),
  secret(`glpat-${a(20)}`, 'GitLab: %.'),
  secret(`xoxb-${a(12, '0123456789')}-${a(24)}`, 'The bot has %'),
  secret(`sk-${a(48)}`, 'My key is "%".'),
  secret(`sk-ant-api03-${a(90)}`, 'ANTHROPIC: % (do not share)'),
  secret(`sk_live_${a(24)}`, 'Stripe %, live.'),
  secret(`whsec_${a(32)}`, 'Signing with %'),
  secret(`AIza${a(35)}`, 'maps?key=%&v=3'),
  secret(`npm_${a(36)}`, '//registry/:_authToken=%'),
  secret(`hf_${a(34, 'aBcDeFgH')}`, 'export HF=%'),
  secret(`SG.${a(22)}.${a(43)}`, 'Mail goes out with %.'),
  secret(`dop_v1_${a(64, '0123456789abcdef')}`, 'DO: %'),
  secret(`hvs.${a(24)}`, 'vault login %'),
  secret(`eyJ${a(20)}.eyJ${a(40)}.${a(43)}`, 'Cookie: session=%'),
  secret(a(40), 'Authorization: Bearer %'),
  secret(`dXNlcjpwYXNzd29yZDEyMw==`, 'authorization: Basic %'),
  secret('app:s3cr3t-pw', 'postgres://%@db.internal:5432/app'),
  secret('root:Tr0ub4dor&3', 'mongodb+srv://%@cluster0.example.net/?w=majority'),
  secret('correct-h0rse-battery', 'DB_PASSWORD=%'),
  secret('Zx9!kk#27', '{"password": "%"}'),
  secret(`${a(44, 'aB3/dE6+')}==`, 'AccountName=store;AccountKey=%;EndpointSuffix=x'),
  secret(key(''), 'The key:\n%\nKeep it.'),
  secret(key('RSA'), 'id_rsa is %'),
  secret(key('OPENSSH'), '%'),
  email('ada.lovelace@example.com', 'Write to % today.'),
  email('bob+orders@mail.example.co.uk', 'mailto:%?subject=Hi'),
  email("o'brien@example.ie", "It is %, isn't it?"),
  email('jürgen@bücher.example', 'Von: <%>'),
  email('first_last@sub-domain.example.org', '("%")'),
  email('carol%40example.com', 'https://x.example/?to=%&a=1'),
  phone('+49 151 12345678', 'Call % after six.'),
  phone('+1 (212) 555-0123', 'US office: %, ask for Ann.'),
  phone('+44 20 7946 0958', 'tel:%'),
  phone('0041 44 668 18 00', 'Zürich % (office)'),
  phone('+33-1-42-68-53-00', 'Paris: %.'),
  phone('+81.3.1234.5678', 'Tokyo %!'),
  card('4111 1111 1111 1111', 'Visa %, 12/29.'),
  card('5555555555554444', 'Pay with %'),
  card('3782-822463-10005', 'Amex % please'),
  card('6011000990139424', '[%]'),
  card('４１１１ １１１１ １１１１ １１１１', 'Full width: %'),
  iban('DE89 3704 0044 0532 0130 00', 'Konto % bitte'),
  iban('GB29NWBK60161331926819', 'To %.'),
  iban('FR14 2004 1010 0505 0001 3M02 606', 'RIB: %, Paris'),
  iban('ch93 0076 2011 6238 5295 7', 'auf % überweisen'),
  phone('%2B49%20151%2012345678', 'https://x.example/?tel=%&a=1'),
  card('4111%201111%201111%201111', 'https://x.example/?q=%&a=1'),
  card('4111+1111+1111+1111', '![x](https://x.example/?d=%)'),
  iban('DE89%203704%200044%200532%200130%2000', 'https://x.example/?q=%&b=2'),
  iban('GB29+NWBK+6016+1331+9268+19', 'https://x.example/?d=%'),
  iban('MT84 MALT 0110 0001 2345 MTLC AST0 01S', 'Malta: % thanks'),
];

/** Texts in which every guard must find nothing. */
export const HARMLESS: readonly string[] = [
  'The meeting is on 2026-11-23 at 10:08, room 4.12.',
  'Version 1.2.3 of foo@1.2.3 has 12 345 678 downloads.',
  'Order 20261123-000417 costs 1 299,00 EUR.',
  'commit 0b9ab196b5c4a339c1f47f71db2e8f0c11a8d7e6',
  'id 01999a2f-7c3e-7d2b-9d3a-3c1f5e6a7b8c, millis 1795428000000',
  'Set the password in the console: choose a long one.',
  'Password: required. The token is sent as a header.',
  'Basic usage and bearer of news; basic authentication is off.',
  'const total = items.reduce((sum, item) => sum + item.price, 0);',
  'See https://example.com/a/b?page=2#top and ftp://files.example.org/x.',
  'Ratio 16:9, 1920x1080, 192.168.0.1, +3 % and 10 000 000 people.',
  'GET /files/a%20b%2Fc?since=2026-11-23T10%3A08%3A00%2B01%3A00&n=20%2B21',
  '@everyone please review @alice’s change',
  'sk-learn and task-force are words, and so is risk-averse.',
];

/** Returns the longest line of a value: a part of it that quoting in JSON or in a URL never changes. */
export const needleOf = ({ value }: CorpusText): string =>
  value.split('\n').reduce((longest, line) => (line.length > longest.length ? line : longest), '');

/** Returns the entries whose value a text contains. */
export const leaksIn = (text: string): CorpusText[] => CORPUS.filter((entry) => text.includes(needleOf(entry)));
