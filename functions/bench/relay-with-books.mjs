// The least that a relay with durable books can be: it looks up the key, notes each request on the disk and settles it there
// before the last byte. It checks no body, knows no limits or prices, reads no reply, and has neither log nor deadline.
import { createHash } from 'node:crypto';
import { fdatasync, openSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

const { PORT, UPSTREAM, DIRECTORY } = process.env;
const { hostname, port } = new URL(UPSTREAM);
const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });

const file = join(DIRECTORY, 'relay.db');
const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
db.exec('CREATE TABLE keys (hash TEXT PRIMARY KEY, user TEXT) WITHOUT ROWID');
db.exec('CREATE TABLE ledger (id INTEGER PRIMARY KEY, user TEXT, startedMs INTEGER, settledMs INTEGER, bytes INTEGER)');
const userOf = db.prepare('SELECT user FROM keys WHERE hash = ?');
const open = db.prepare('INSERT INTO ledger (user, startedMs) VALUES (?, ?)');
const settle = db.prepare('UPDATE ledger SET settledMs = ?, bytes = ? WHERE id = ?');
const log = openSync(`${file}-wal`, 'r');
const syncToDisk = promisify(fdatasync);

/** Commits of one turn of the event loop share a transaction, and wait for the disk together. */
let waiting = [];
let onDisk;
function durably(write) {
  onDisk ??= new Promise((resolve, reject) => {
    setImmediate(() => {
      const writes = waiting;
      [waiting, onDisk] = [[], undefined];
      db.exec('BEGIN IMMEDIATE');
      for (const one of writes) one();
      db.exec('COMMIT');
      syncToDisk(log).then(resolve, reject);
    });
  });
  waiting.push(write);
  return onDisk;
}

async function relay(req, res) {
  const pieces = [];
  for await (const piece of req) pieces.push(piece);
  const hash = createHash('sha256').update(req.headers.authorization).digest('hex');
  const user = userOf.get(hash)?.user ?? 'nobody';
  let id;
  const noted = durably(() => {
    id = open.run(user, Date.now()).lastInsertRowid;
  });
  const reply = await ask(Buffer.concat(pieces));
  await noted;
  res.writeHead(reply.statusCode, { 'content-type': reply.headers['content-type'] });
  const isStream = reply.headers['content-type'].startsWith('text/event-stream');
  const held = [];
  let bytes = 0;
  for await (const piece of reply) {
    bytes += piece.length;
    if (isStream && !piece.includes('[DONE]')) res.write(piece);
    else held.push(piece);
  }
  await durably(() => settle.run(Date.now(), bytes, id));
  res.end(Buffer.concat(held));
}

function ask(body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, authorization: 'Bearer none' };
    const call = request({ hostname, port, path: '/v1/chat/completions', method: 'POST', agent, headers }, resolve);
    call.on('error', reject);
    call.end(body);
  });
}

createServer((req, res) => void relay(req, res)).listen(Number(PORT), '127.0.0.1');
