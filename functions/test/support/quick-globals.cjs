/**
 * A suite runs in a context of its own, in which V8 looks every global up through a call into Node: code that runs
 * thousands of times spends up to half of its time on that. As parameters of each module these are found at once.
 * None may stand here that a test replaces (`Date`, timers, `RegExp`), or that a package declares itself.
 */
exports.QUICK_GLOBALS = [
  ...['Array', 'Boolean', 'Error', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Set', 'String'],
  ...['AbortController', 'AbortSignal', 'Buffer', 'WeakMap', 'WeakSet'],
];
