// The Functions Framework listens on every interface and has no setting for it; a local server should not.
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function bound(port, ...rest) {
  const plain = (typeof port === 'string' || typeof port === 'number') && typeof rest[0] !== 'string';
  return plain && process.env.HOST
    ? listen.call(this, port, process.env.HOST, ...rest)
    : listen.call(this, port, ...rest);
};
