import { request } from 'node:http';
import { chat } from '../load.mjs';
import { flawOf } from './tagged-streams.mjs';

/**
 * Opens a stream for each tag that reads its first piece and then stops. `goOn` reads all of them to their end, and
 * throws when a byte of one is missing or wrong.
 */
export async function openSlowReaders(to, model, tags) {
  const readers = await Promise.all(tags.map((tag) => openSlowReader(to, chat(model, { stream: true, tag }))));
  return {
    goOn: async () => {
      const texts = await Promise.all(readers.map(({ rest }) => rest()));
      const flaws = texts.map((text, index) => flawOf(text, model, tags[index])).filter((flaw) => flaw !== undefined);
      if (flaws.length > 0) throw new Error(`${flaws.length} slow readers got a broken stream, e.g. ${flaws[0]}`);
    },
  };
}

function openSlowReader(to, body) {
  const headers = { ...to.headers, authorization: to.authorization(), 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const req = request(to.url, { method: 'POST', headers });
    req.once('error', reject);
    req.once('response', (res) => {
      let text = '';
      res.setEncoding('utf8');
      const rest = () =>
        new Promise((done, fail) => {
          res.once('error', fail).once('end', () => done(text));
          res.resume();
        });
      res.once('data', () => {
        res.pause();
        resolve({ rest });
      });
      res.on('data', (part) => {
        text += part;
      });
    });
    req.end(JSON.stringify(body));
  });
}
