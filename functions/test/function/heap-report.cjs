// Loaded into a server under test (with --expose-gc): on SIGUSR2 it says what is left after a collection, on stdout.
process.on('SIGUSR2', async () => {
  // What was freed by the first may have held more.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  console.log(JSON.stringify({ report: { heapBytes: process.memoryUsage().heapUsed, sockets } }));
});
