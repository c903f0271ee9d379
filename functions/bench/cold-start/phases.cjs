/*
 * Preloaded into a server: where the time of its start goes. Once its first request is answered it writes a line to stderr
 * that begins with PHASES, with times in ms of the system's monotonic clock and how long it spent loading modules.
 */
const diagnostics = require('node:diagnostics_channel');

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
const told = { bootedMs: nowMs(), loadingMs: 0, connectingMs: 0, files: 0 };

// What is loaded by something that is being loaded is part of it.
let depth = 0;
let sinceMs = 0;
function begin() {
  if (depth === 0) sinceMs = nowMs();
  depth += 1;
}
function end() {
  depth -= 1;
  if (depth === 0) told.loadingMs += nowMs() - sinceMs;
}
diagnostics.subscribe('tracing:module.require:start', begin);
diagnostics.subscribe('tracing:module.require:end', end);
diagnostics.subscribe('tracing:module.import:start', begin);
diagnostics.subscribe('tracing:module.import:asyncEnd', end);
diagnostics.subscribe('tracing:net.server.listen:asyncStart', () => {
  told.listeningMs = nowMs();
  told.loadedFirstMs = told.loadingMs;
});
diagnostics.subscribe('net.client.socket', ({ socket }) => {
  const openedMs = nowMs();
  socket.once('connect', () => {
    told.connectingMs += nowMs() - openedMs;
  });
});
diagnostics.subscribe('http.server.request.start', () => {
  if (told.askedMs !== undefined) return;
  told.askedMs = nowMs();
  told.connectedFirstMs = told.connectingMs;
});
diagnostics.subscribe('http.server.response.finish', () => {
  told.answeredMs = nowMs();
  told.files = Object.keys(require.cache).length;
  setImmediate(() => process.stderr.write(`PHASES ${JSON.stringify(told)}\n`));
});
