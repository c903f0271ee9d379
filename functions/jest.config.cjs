const swc = [
  '@swc/jest',
  { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // eventsource-parser is published as ES modules only; jest's own module system wants CommonJS.
  transform: { '^.+\\.ts$': swc, 'eventsource-parser/.+\\.js$': swc },
  transformIgnorePatterns: ['/node_modules/(?!eventsource-parser/)'],
  testTimeout: 30_000,
};
