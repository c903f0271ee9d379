/**
 * The layers of `src/`, lowest first: a folder or file may import itself and those in rows above its own, types included.
 * `docs/architecture.md` says what each is for. `npm run check` fails on any other import, and on a cycle.
 */
const LAYERS = [
  ['errors', 'lib'],
  ['telemetry'],
  ['models'],
  ['prompting', 'ledger'],
  ['access'],
  ['runs'],
  ['ensemble', 'evaluation'],
  ['byok', 'billing'],
  ['http'],
  ['api'],
  ['providers', 'store'],
  ['env-files'],
  ['config'],
  ['services'],
  ['start-up'],
  ['cli', 'index'],
  ['server'],
];

/** Packages and modules of Node that only some folders may use. */
const PACKAGES = [
  {
    name: 'Firebase',
    path: '(^|node_modules/)(firebase-functions|firebase-admin|@google-cloud)(/|$)',
    only: ['index', 'access/firebase-sign-in', 'store'],
  },
  {
    name: 'provider SDKs',
    path: '(^|node_modules/)(openai|@anthropic-ai|@google/genai|eventsource-parser)(/|$)',
    only: ['providers'],
  },
  { name: 'the MCP SDK', path: '(^|node_modules/)@modelcontextprotocol(/|$)', only: ['api/mcp'] },
  { name: 'HTTP', path: '^(node:)?https?$', only: ['http', 'providers', 'telemetry'] },
  {
    name: 'files and SQLite',
    path: '^(node:)?(fs|fs/promises|sqlite)$',
    only: ['env-files', 'cli', 'store', 'api/site'],
  },
];

const pathOf = (name) => `^src/${name}(?:[.]ts$|/)`;
const TESTS = '[.]test[.]ts$';

const upward = LAYERS.flatMap((row, level) => {
  const higher = LAYERS.slice(level + 1).flat();
  return row.map((name) => ({
    name: `${name} is below`,
    severity: 'error',
    from: { path: pathOf(name), pathNot: TESTS },
    to: { path: [...higher, ...row.filter((other) => other !== name)].map(pathOf) },
  }));
}).filter(({ to }) => to.path.length > 0);

const packages = PACKAGES.map(({ name, path, only }) => ({
  name: `${name}: ${only.join(', ')} only`,
  severity: 'error',
  from: { path: '^src/', pathNot: [TESTS, ...only.map(pathOf)] },
  to: { path },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: { pathNot: TESTS }, to: { circular: true } },
    ...upward,
    ...packages,
  ],
  options: { doNotFollow: { path: 'node_modules' }, parser: 'swc', tsPreCompilationDeps: true },
};
