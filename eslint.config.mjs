import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Arrows go only downwards; `test` is for test files, which the import rule below sees to. */
const layer = (name, below) => ({
  sourceTag: `layer:${name}`,
  onlyDependOnLibsWithTags: [name, ...below, 'test'].map((allowed) => `layer:${allowed}`),
});

export default tseslint.config(
  { ignores: ['**/dist', '**/src/generated', '**/node_modules', '.nx', '.millwright', 'prisma.config.ts'] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['tsconfig.json', 'apps/*/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'Use named exports: a name is then the same wherever it is used.',
        },
        {
          selector: "ImportDeclaration[source.value='jsonwebtoken'] ImportSpecifier[importKind!='type']",
          message: 'jsonwebtoken is CommonJS: import its default, named imports fail in plain Node.',
        },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
      ],
      // Numbers, URLs and errors in log lines and messages are intended.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
    },
  },
  {
    files: ['apps/**', 'libs/**'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          depConstraints: [
            { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
            { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
            layer('core', []),
            layer('base', ['core']),
            layer('domain', ['core', 'base']),
            layer('test', []),
          ],
        },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.test.ts', '**/test-*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['@millwright/testing'], message: 'For test files only.' }] },
      ],
    },
  },
  { files: ['**/config.ts', '**/main.ts', 'acceptance/**'], rules: { 'no-restricted-properties': 'off' } },
  {
    // Scripts, whose types are comments.
    ...tseslint.configs.disableTypeChecked,
    files: ['**/*.mjs'],
    rules: {
      ...tseslint.configs.disableTypeChecked.rules,
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
  // What loads these wants default exports.
  {
    files: ['*.config.mjs', 'tools/**/*-reporter.mjs', 'tools/jest/global-*.mjs'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
