import type { HttpFunction } from '@google-cloud/functions-framework';

const REPLY = {
  id: 'chatcmpl-hello',
  object: 'chat.completion',
  created: 0,
  model: 'hello',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello, world' }, finish_reason: 'stop' }],
};

/** The framework alone: asks no model and answers always the same. */
export const api: HttpFunction = (_req, res) => {
  res.json(REPLY);
};
