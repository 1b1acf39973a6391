/** Patterns of credentials in an upstream's text. Each pattern takes linear time. */
const CREDENTIALS = [
  // Private keys, including truncated keys.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  // Schemes of the Authorization header.
  /\b(?:bearer|basic|negotiate|digest)\s+[\w.~+/=-]{6,}/gi,
  // JSON Web Tokens.
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){0,3}/g,
  // Keys with the prefix of a provider or of this installation.
  /\b(?:sk|pk|rk|mw|key|tok|ghp|gho|ghs|ghu|glpat|npm|xox[a-z]|whsec|github_pat|hf)[-_][\w-]{8,}/gi,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bAIza[\w-]{20,}/g,
  // The password in a URL, and values in headers, queries, JSON and forms whose name is typical of a secret.
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/g,
  /(?<=(?:api[-_ ]?key|token|secret|passw(?:or)?d|pwd|cookie|credential|signature|authorization)[\w-]{0,20}\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[^\s"'&,;<>\\]{3,}/gi,
];
/** Removes everything that looks like a credential from an upstream's text, and returns at most `length` characters of it. */
export const removeCredentials = (text: string, length: number): string =>
  // Twice the returned length is searched, so that a credential at the end of the returned text is recognised completely.
  CREDENTIALS.reduce((rest, pattern) => rest.replaceAll(pattern, '[removed]'), text.slice(0, 2 * length)).slice(
    0,
    length,
  );
