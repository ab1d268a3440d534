/**
 * The table "who may import whom" of docs/ARCHITECTURE.md, as rules.
 * Each folder lists what it may reach inside the project; `types` are folders it may import as `import type` only.
 * Packages are reached by their names, which lead to what the build made of them.
 */
const plugin = 'packages/plugin/dist';
const protocol = `${plugin}/protocol`;
const client = 'packages/client/dist';
const table = {
  'packages/plugin': { may: [] },
  'packages/client': { may: [] },
  core: { may: [protocol] },
  storage: { may: ['core', protocol] },
  runtime: { may: ['core', plugin] },
  plugins: { may: ['core', plugin] },
  workflows: { may: ['core', protocol], types: ['activities'] },
  activities: {
    may: ['core', 'storage', 'runtime', 'plugins', 'workflows/messages', plugin],
    types: ['workflows'],
  },
  api: { may: ['core', 'storage', 'runtime', 'workflows/messages', plugin], types: ['workflows'] },
  cli: { may: [client, plugin] },
  web: { may: [client, protocol] },
};

const folders = Object.keys(table);
const any = `^(${folders.join('|')}|test|bench)/`;
const inside = (list) => (list.length ? `^(${list.join('|')})(/|\\.ts$|$)` : '^$');

const rules = folders.flatMap((folder) => {
  const { may, types = [] } = table[folder];
  const from = { path: `^${folder}/`, pathNot: ['^runtime/deps\\.ts$', '^cli/operations/'] };
  return [
    {
      name: `${folder}-imports`,
      severity: 'error',
      from,
      to: { path: any, pathNot: [`^${folder}/`, inside([...may, ...types])] },
    },
    ...types.map((other) => ({
      name: `${folder}-imports-only-types-of-${other}`,
      severity: 'error',
      from,
      to: {
        path: `^${other}/`,
        pathNot: may.length ? inside(may) : undefined,
        dependencyTypesNot: ['type-only'],
      },
    })),
  ];
});

module.exports = {
  forbidden: [
    ...rules,
    {
      name: 'deps-imports',
      comment: 'runtime/deps.ts makes the dependencies of a process: it alone also reaches storage.',
      severity: 'error',
      from: { path: '^runtime/deps\\.ts$' },
      to: { path: any, pathNot: ['^(core|runtime|storage)/', inside([plugin])] },
    },
    {
      name: 'cli-operations-imports',
      severity: 'error',
      from: { path: '^cli/operations/' },
      to: { path: any, pathNot: ['^(core|runtime|storage|cli)/', inside([plugin, client])] },
    },
    {
      name: 'core-imports-no-package',
      severity: 'error',
      from: { path: '^core/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'workflows-import-only-workflow-packages',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'core'],
        pathNot: 'node_modules/@temporalio/(workflow|common|interceptors-)',
      },
    },
    { name: 'nothing-imports-a-main', severity: 'error', from: {}, to: { path: '(^|/)main\\.ts$' } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|plugins/examples)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
