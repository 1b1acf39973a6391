// @ts-check
/**
 * Words that `docs/glossary.md` has retired, and the words to use instead. `names` are compared with the names that code declares and with file names
 * in camelCase, `prose` with comments and test titles, and `text` with all other strings.
 */
export const RETIRED = [
  { names: /^hold(?=[A-Z])/, use: 'lock' },
  { names: /raiseAgents/, use: 'bumpAgentVersions' },
  { names: /workplace/i, use: 'agent toolset' },
  { names: /^isLoud/, use: 'meetsLogLevel' },
  { names: /^watchFor$/, use: 'pollUntil' },
  { names: /^readAnew/, use: 'invalidate' },
  { names: /^wentWrong/, use: 'run error' },
  { names: /^mayContinue/, use: 'requireContinuable' },
  { names: /endure/i, use: 'soak' },
  { names: /^handOver/, use: 'exec' },
  { names: /^told$/, use: 'the verb of what happens: count, report, receive' },
  { names: /^Asking$/, use: 'ToolCallContext' },
  { names: /(^t|T)rail(?!ing|er)/, prose: /\btrails?\b/i, text: /\btrails?\b/i, use: 'audit log' },
  { names: /^toShown$/, use: 'toResponse' },
  { names: /^ticks?$/, use: 'scheduledAt' },
  { names: /^(offered|OFFERED)/, use: 'available' },
  { names: /^TokenRefused$/, use: 'TokenEndpointError, or OAuthError for our own refusals' },
  { names: /^Session$/, use: 'UserSession, McpSession or CliSession' },
  { names: /^challengeOf$/, use: 'a name with codeChallenge or wwwAuthenticate' },
  { names: /^originOf$/, use: 'requestOrigin or urlOrigin' },
  { prose: /\bareas? [ABCD]\b/i, text: /\b[Aa]reas? [ABCD]\b/, use: "the service's name" },
  { prose: /decisions §|\bspec, ["A-Z]/i, text: /decisions §/, use: 'the reason, or a link to docs/specification.md' },
  { prose: /\bwhoever\b/i, use: 'the user, the client, the caller' },
  { prose: /\btold\b/i, use: 'gets, receives, is notified' },
  { prose: /\b(says|said|saying|tells?|telling|hears?|heard)\b/i, use: 'states, contains, reports, sends, receives' },
  { prose: /\bthat (is|are) none\b/i, use: 'invalid, malformed, missing or unknown' },
  { prose: /\bas (it|they) stands?\b/i, use: 'unchanged' },
  { prose: /\b(anew|afresh)\b/i, use: 'again' },
  { prose: /\b(knows?|knew|learns?|learnt)\b/i, use: 'has, has read, contains, receives, supports' },
  { prose: /\bgo(es)? on\b/i, use: 'continue' },
  { prose: /\bso many\b(?! that)/i, use: 'the number, or the name of the parameter' },
  { prose: /\bof (its|their) own\b(?![\s*]+\w)/, use: 'a separate …, or "its own" before the noun' },
];

const TITLES = new Set(['describe', 'it', 'test']);

/** Returns whether the node declares an identifier. Uses of a name that another file declares are not reported. */
function declares(node) {
  const { parent } = node;
  if (parent.type === 'MemberExpression') return false;
  if (parent.type === 'Property') return parent.parent.type === 'ObjectPattern' && parent.value === node;
  return !/^(TS)?(PropertySignature|PropertyDefinition|MethodDefinition|ImportSpecifier)$/.test(parent.type);
}

const isTitle = ({ parent }) =>
  parent.type === 'CallExpression' &&
  parent.arguments.length > 1 &&
  (TITLES.has(parent.callee.name) || TITLES.has(parent.callee.callee?.object?.name));

/** @type {import('eslint').Rule.RuleModule} */
export const retiredWords = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { retired: '"{{word}}" is retired (docs/glossary.md). Use: {{use}}.' },
  },
  create(context) {
    const report = (node, kind, text) => {
      for (const entry of RETIRED) {
        const word = entry[kind]?.exec(text)?.[0];
        if (word !== undefined) context.report({ node, messageId: 'retired', data: { word, use: entry.use } });
      }
    };
    const seen = new Set();
    return {
      Program(node) {
        const file = (context.filename.split(/[\\/]/).pop() ?? '').split('.')[0] ?? '';
        report(
          node,
          'names',
          file.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase()),
        );
        for (const comment of context.sourceCode.getAllComments()) report(comment, 'prose', comment.value);
      },
      Identifier(node) {
        if (seen.has(node.name) || !declares(node)) return;
        seen.add(node.name);
        report(node, 'names', node.name);
      },
      Literal(node) {
        if (typeof node.value === 'string') report(node, isTitle(node) ? 'prose' : 'text', node.value);
      },
      TemplateElement: (node) => report(node, 'text', node.value.raw),
      JSXText: (node) => report(node, 'text', node.value),
    };
  },
};

/** The rule for `eslint.config.mjs`. */
export const glossary = { rules: { 'retired-words': retiredWords } };
