import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import jestConfig from './jest.config.mjs';
import { glossary } from './tools/lint/retired-words.mjs';

/**
 * Imports go only from a higher to a lower layer. Every layer may use `test`, whose libraries only test files import (second
 * rule below).
 */
const layer = (name, below) => ({
  sourceTag: `layer:${name}`,
  onlyDependOnLibsWithTags: [name, ...below, 'test'].map((allowed) => `layer:${allowed}`),
});

/** Tests share a process: when one of them replaces the clock, a loop of another test that waits for a time never ends. */
const busyLoop = {
  selector:
    ":matches(ForStatement, WhileStatement)[body.type='EmptyStatement']:has(CallExpression[callee.property.name='now']):not(:has(AwaitExpression))",
  message: 'Use blockEventLoop of @millwright/testing: a loop over a clock does not end once the clock is replaced.',
};

/** The type checks read these folders while the tests run. */
const temporaryFolder = {
  selector: 'CallExpression[callee.name=/^mkdtemp/] Literal[value=/^(apps|libs|acceptance)\\b/]',
  message: 'Use tmpdir(): a file that is deleted while the types of the workspace are read fails their check.',
};

const manyRows = {
  selector: 'TaggedTemplateExpression[tag.object.property.name="prisma"] TemplateElement[value.raw=/generate_series/]',
  message: 'Make rows by `sql` or `run` of TestDatabase: the statements of services have a time limit.',
};

/** `testTimeout` of jest.config.mjs, which a busy machine may need. */
const shortTimeLimit = {
  selector: `CallExpression:matches([callee.name=/^(it|test|before|after)/], [callee.callee.property.name=/^(each|skipIf)$/]) > Literal.arguments:last-child[value<${jestConfig.testTimeout}]`,
  message: 'Omit this time limit: a busy machine may need as much time as the default allows.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      '**/src/generated',
      'k8s/.combination-*',
      '**/node_modules',
      '.nx',
      '.millwright',
      'prisma.config.ts',
    ],
  },
  // The rules of `strictTypeChecked` that need types are in .oxlintrc.json.
  tseslint.configs.strict,
  {
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSEnumDeclaration',
          message: 'Use a union of texts: an enum accepts values that it does not name.',
        },
        {
          selector: 'ExportDefaultDeclaration',
          message: 'Use named exports: a name is then the same wherever it is used.',
        },
        {
          selector:
            'CallExpression[callee.object.name=/^(response|res)$/][callee.property.name=/^(on|once|addListener)$/] > Literal[value="close"]',
          message: 'Use onClose or clientLeft: a response that closed during an await emits no further close.',
        },
        {
          selector: "ImportDeclaration[source.value='jsonwebtoken'] ImportSpecifier[importKind!='type']",
          message: 'jsonwebtoken is CommonJS: import its default, named imports fail in plain Node.',
        },
        {
          selector: 'MemberExpression[property.name=/^\\$(query|execute)RawUnsafe$/]',
          message: 'Compose statements with Prisma.sql, which sends values as parameters.',
        },
        busyLoop,
        temporaryFolder,
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
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
            layer('test', ['core', 'base']),
          ],
        },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.test.ts', '**/test-*.ts', 'libs/http-testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['@millwright/testing', '@millwright/http-testing'], message: 'For test files only.' }] },
      ],
    },
  },
  {
    // A connection without the limits of libs/db keeps the locks of a machine that was lost.
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.test.ts', '**/test-*.ts', 'libs/db/**', 'libs/testing/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'pg', message: 'Connect by createDatabase, createDirectPool or listenTo of @millwright/db.' },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/console/src/pages/**/*.tsx'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@mantine/core',
              importNames: ['Skeleton'],
              message: 'Use a shape of ui/loading.tsx: it looks like the content, and is marked as loading.',
            },
          ],
        },
      ],
    },
  },
  {
    // Test servers, and the only source file that listens for the event `close`.
    files: ['**/*.test.ts', '**/test-*.ts', 'libs/testing/**', 'libs/http/src/process/on-close.ts', 'acceptance/**'],
    rules: { 'no-restricted-syntax': ['error', busyLoop, manyRows, temporaryFolder, shortTimeLimit] },
  },
  { files: ['**/config.ts', '**/main.ts', 'acceptance/**'], rules: { 'no-restricted-properties': 'off' } },
  {
    // Scripts may read the environment.
    files: ['**/*.mjs'],
    rules: {
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
  {
    // This test contains the retired words.
    ignores: ['tools/lint/retired-words.test.mjs'],
    plugins: { glossary },
    rules: { 'glossary/retired-words': 'error' },
  },
  // The programs that load these files require default exports.
  {
    files: ['*.config.mjs', 'tools/**/*-reporter.mjs', 'tools/jest/global-*.mjs'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
