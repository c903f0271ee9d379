import type { HttpFunction } from '@google-cloud/functions-framework';
import OpenAI from 'openai';

const client = new OpenAI();

/** The framework and the SDK together: passes the body on, without keys, limits or books. */
export const api: HttpFunction = async (req, res) => {
  const reply: unknown = await client.chat.completions.create(req.body);
  if (!isStream(reply)) {
    res.json(reply);
    return;
  }
  res.setHeader('content-type', 'text/event-stream');
  for await (const chunk of reply) res.write(`data: ${JSON.stringify(chunk)}\n\n`);
  res.end('data: [DONE]\n\n');
};

function isStream(reply: unknown): reply is AsyncIterable<unknown> {
  return typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply;
}
