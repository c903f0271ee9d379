// The Functions Framework listens on every interface and has no setting for it; a local server should not. It also
// says nothing when it cannot listen but a stack trace, and nothing to anybody when it can.
const { Server } = require('node:net');

const REASONS = {
  EADDRINUSE: 'something else is listening there; choose another PORT',
  EADDRNOTAVAIL: 'this machine has no such address; check HOST',
  EACCES: 'not permitted; choose a PORT above 1023',
};

const { promise, resolve } = Promise.withResolvers();
/** Resolves once the server takes connections. */
exports.listening = promise;

const { listen } = Server.prototype;
Server.prototype.listen = function bound(port, ...rest) {
  const host = process.env.HOST;
  const plain = (typeof port === 'string' || typeof port === 'number') && typeof rest[0] !== 'string';
  if (!plain || !host) return listen.call(this, port, ...rest);
  this.once('listening', resolve);
  this.once('error', ({ code }) => {
    console.error(`Cannot listen on ${host}, port ${port}: ${REASONS[code] ?? code}`);
    process.exit(1);
  });
  return listen.call(this, port, host, ...rest);
};
