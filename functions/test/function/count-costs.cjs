/*
 * Preloaded into a server: counts what its requests take, where counting does not depend on the machine. On SIGUSR2 it
 * writes the counts so far to stderr, in a line that begins with COUNTED.
 */
const { createHook } = require('node:async_hooks');
const { StatementSync } = require('node:sqlite');
const { getHeapStatistics } = require('node:v8');

let promises = 0;
let statements = 0;
createHook({
  init: (_id, type) => {
    if (type === 'PROMISE') promises += 1;
  },
}).enable();

for (const name of ['all', 'get', 'run']) {
  const original = StatementSync.prototype[name];
  StatementSync.prototype[name] = function counted(...values) {
    statements += 1;
    return original.apply(this, values);
  };
}

process.on('SIGUSR2', () => {
  const loaded = Object.keys(require.cache);
  const bytes = getHeapStatistics().used_heap_size;
  process.stderr.write(`COUNTED ${JSON.stringify({ promises, statements, bytes, loaded })}\n`);
});
