import type { HttpFunction } from '@google-cloud/functions-framework';

const REPLY = {
  id: 'chatcmpl-hello',
  object: 'chat.completion',
  created: 0,
  model: 'hello',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello, world' }, finish_reason: 'stop' }],
};

/** What the framework alone costs: asks nobody and answers always the same. */
export const api: HttpFunction = (_req, res) => {
  res.json(REPLY);
};
