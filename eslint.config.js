import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const untypedJson = {
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-return': 'off',
  '@typescript-eslint/no-unsafe-argument': 'off',
};

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.kw', 'test/fixtures', 'web/src/api/schema.d.ts'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are read in runtime/config.ts alone.' },
        {
          object: 'URL',
          property: 'canParse',
          message: 'Wrong in Node 20 about Latin-1: parseUrl of core/wire.',
        },
        { object: 'it', property: 'only', message: 'Runs one test and hides the others.' },
        { object: 'describe', property: 'only', message: 'Runs one suite and hides the others.' },
      ],
    },
  },
  {
    files: ['test/**', 'bench/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'it', property: 'only' },
        { object: 'describe', property: 'only' },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      // Answers of the API are JSON; tests look into them as a client would.
      ...untypedJson,
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  // knex gives rows as `any`: they are annotated with their row's type where they come in.
  {
    files: ['storage/**'],
    rules: { ...untypedJson, '@typescript-eslint/no-unnecessary-type-parameters': 'off' },
  },
  {
    files: ['web/src/**'],
    extends: [reactHooks.configs.flat.recommended, jsxA11y.configs.strict],
    languageOptions: { parserOptions: { project: './web/tsconfig.json' } },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Browsers have a sound URL.canParse, and no environment.
      'no-restricted-properties': 'off',
      // A region that scrolls is scrolled by the keyboard too.
      'jsx-a11y-x/no-noninteractive-tabindex': [
        'error',
        { tags: [], roles: ['region', 'tabpanel'], allowExpressionValues: true },
      ],
      // Of the React Compiler, which is not used.
      'react-hooks/incompatible-library': 'off',
      // Browsers forget the roles of a table whose parts are laid out as a card's: they are said again.
      'jsx-a11y-x/no-redundant-roles': 'off',
      'jsx-a11y-x/no-interactive-element-to-noninteractive-role': 'off',
    },
  },
  // Node's own test runner waits for what `test` returns.
  { files: ['plugins/examples/**/*.test.ts'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
);
