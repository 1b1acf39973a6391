import type { Found } from './found.js';

/** Maximum length of one secret. Text beyond this length is not part of the secret. */
const LONGEST = 16_384;

/** Keys and tokens that begin with the prefix of their issuer. */
const TOKENS = [
  // Access keys of Amazon
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}',
  // Tokens of GitHub and GitLab
  `gh[pousr]_[A-Za-z0-9]{20,255}`,
  `github_pat_[A-Za-z0-9_]{20,255}`,
  `gl(?:pat|dt|rt|ptt|soat|agent|oas|cbt|ft|imt)-[A-Za-z0-9_-]{16,255}`,
  // Tokens of Slack
  `(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,255}`,
  // OpenAI, Anthropic and others with the same format; Stripe
  `(?:sk|rk|pk)[-_][A-Za-z0-9_-]{16,512}`,
  `whsec_[A-Za-z0-9+/=_-]{16,255}`,
  // Keys of Google
  'AIza[A-Za-z0-9_-]{30,60}',
  `ya29\\.[A-Za-z0-9_-]{20,2048}`,
  `GOCSPX-[A-Za-z0-9_-]{20,60}`,
  // Tokens of package and model registries
  `npm_[A-Za-z0-9]{30,60}`,
  `pypi-[A-Za-z0-9_-]{40,512}`,
  `hf_[A-Za-z0-9]{30,60}`,
  // Keys of mail, shop, cloud and vault services
  `SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}`,
  `shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}`,
  `sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}`,
  `do[opr]_v1_[a-f0-9]{64}`,
  `dapi[a-f0-9]{32}`,
  `(?:hvs|hvb|hvr)\\.[A-Za-z0-9_-]{20,255}`,
  `dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9_.-]{20,120}`,
  `(?:lin_api|ntn|secret)_[A-Za-z0-9]{32,64}`,
  `key-[a-f0-9]{32}`,
  `AGE-SECRET-KEY-1[A-Z0-9]{58}`,
  `SK[a-f0-9]{32}`,
  `[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`,
  // Keys of Millwright
  `(?:mw|millwright)[-_][A-Za-z0-9_-]{16,512}`,
  // JSON Web Tokens
  `eyJ[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{8,8192}(?:\\.[A-Za-z0-9_-]{0,8192}){0,3}`,
];

/** Words that precede a secret. */
const WORDS =
  'passw(?:or)?d|passphrase|passwort|pwd|secret|api[-_ ]?key|apikey|access[-_ ]?key|account[-_]?key|private[-_ ]?key|secret[-_ ]?key|auth[-_ ]?token|access[-_ ]?token|refresh[-_ ]?token|client[-_ ]?secret|credential';
const BEFORE_VALUE = `(?:${WORDS})[A-Za-z0-9_-]{0,20}\\\\?["']?[ \\t]{0,3}[:=][ \\t]{0,3}`;
const QUOTED = `\\\\?"([^"\\n\\\\]{4,256})|\\\\?'([^'\\n\\\\]{4,256})|\`([^\`\\n]{4,256})`;
const BARE = `([^\\s"'\`,;<>(){}[\\]\\\\]{6,512})`;

const PRIVATE_KEY = new RegExp(
  `-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,${LONGEST}}(?:-----[A-Z0-9 ]{0,70}-{0,5})?`,
  'g',
);
const TOKEN = new RegExp(`(?<![A-Za-z0-9_-]|(?<!\\\\)[A-Za-z0-9_.-])(?:${TOKENS.join('|')})`, 'g');
const AUTHORIZATION = /(?<![A-Za-z0-9])(?:bearer|basic)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,8192})/gi;
/** Credentials in a URL. */
const ADDRESS = /:\/\/([^\s/:@"'`<>]{0,256}:[^\s/@"'`<>]{1,256})@/g;
const ASSIGNED = new RegExp(`${BEFORE_VALUE}(?:${QUOTED}|${BARE})`, 'gi');

/** Whether the text after a word of {@link WORDS} is no secret: it is prose, or the name of a variable. */
const isProse = (value: string) => /^[A-Za-z]+[.!?]?$/.test(value);

/** Matches the name of a property whose value is a secret. */
export const SECRET_NAME = new RegExp(`^[A-Za-z0-9_-]{0,40}(?:${WORDS})$`, 'i');

/** Matches the end of a text that may be the start of a secret with spaces. */
export const OPEN_SECRET = new RegExp(
  [
    `(?:${WORDS})[A-Za-z0-9_-]{0,20}\\\\?["']?[ \\t]{0,3}(?:[:=][ \\t]{0,3}(?:\\\\?"[^"\\n\\\\]{0,256}|\\\\?'[^'\\n\\\\]{0,256}|\`[^\`\\n]{0,256}|[^\\s]{0,64})?)?$`,
    `(?:api|access|private|secret|auth|refresh|client)[-_ ]?$`,
    `(?:bearer|basic)[ \\t]{0,3}$`,
    `-{1,5}(?:B(?:E(?:G(?:I(?:N[A-Z0-9 ]{0,60}-{0,5})?)?)?)?)?$`,
  ].join('|'),
  'i',
);

function matches(text: string, from: number, pattern: RegExp, accept: (value: string) => boolean = () => true) {
  const found: Found[] = [];
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const value = match.slice(1).find((group: string | undefined) => group !== undefined) ?? match[0];
    const start = match.index + match[0].lastIndexOf(value);
    if (accept(value)) found.push({ start, end: start + value.length, guard: 'secrets' });
  }
  return found;
}

/**
 * Finds private keys, tokens with a known format, credentials in headers and URLs, and values that follow words for
 * secrets.
 */
export function findSecrets(text: string, from: number): Found[] {
  return [
    ...matches(text, from, PRIVATE_KEY),
    ...matches(text, from, TOKEN),
    ...matches(text, from, AUTHORIZATION, (value) => /[0-9=]/.test(value)),
    ...matches(text, from, ADDRESS),
    ...matches(text, from, ASSIGNED, (value) => !isProse(value)),
  ];
}
