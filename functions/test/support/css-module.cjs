// In place of a CSS module, which jest cannot read: each class has its own name.
module.exports = { __esModule: true, default: new Proxy({}, { get: (_target, name) => String(name) }) };
