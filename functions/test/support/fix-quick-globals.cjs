const { QUICK_GLOBALS } = require('./quick-globals.cjs');

// Modules would not notice that a test replaces one of these, and the test would prove nothing: it fails instead.
for (const name of QUICK_GLOBALS) {
  Object.defineProperty(globalThis, name, { value: globalThis[name], writable: false, configurable: false });
}
