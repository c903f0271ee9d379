import { startApp } from '../support/app';
import { during } from '../support/during';

/** Titles, tags and follow-ups that a chat UI has made in the background: one call, whatever the virtual id stands for. */

const TITLE =
  '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\nJSON format: { "title": "your concise title here" }\n### Chat History:\n<chat_history>\nUSER: Is a tomato a fruit?\n</chat_history>';
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: TITLE },
];
const REPLY = '{"title": "Tomato"}';

describe('a background prompt of a chat UI', () => {
  const app = during('all', startApp);
  beforeEach(() => {
    app.models.reset();
    app.models.play(() => ({ text: REPLY }));
  });

  it.each(['ensemble', 'ensemble-debate-tournament', 'ensemble-hierarchical'])(
    '%s answers it by one call of its arbiter',
    async (model) => {
      const { calls, body } = await app.complete({ model, messages, temperature: 0.1 });
      expect(calls.map(({ purpose, prompt, sampling }) => ({ purpose, prompt, sampling }))).toEqual([
        {
          purpose: 'answer',
          prompt: { system: 'Be brief.', turns: [{ role: 'user', text: TITLE }] },
          sampling: { temperature: 0.1 },
        },
      ]);
      expect(body.choices[0].message.content).toBe(REPLY);
      expect(body).not.toHaveProperty('degraded');
    },
  );

  it('that chooses tools for a message is known by its system message', async () => {
    const system =
      'Available Tools: [{"name": "clock"}]\n\nYour task is to choose and return the correct tool(s) from the list of available tools based on the query.\n{\n  "tool_calls": []\n}';
    const asked = [
      { role: 'system', content: system },
      { role: 'user', content: 'Query: History:\nUSER: """hi"""\nQuery: What time is it?' },
    ];
    const { calls } = await app.complete({ model: 'ensemble', messages: asked });
    expect(calls.map(({ purpose, prompt }) => [purpose, prompt.system])).toEqual([['answer', system]]);
  });

  it('of a plain id the models asked for all answer', async () => {
    const { calls } = await app.complete({ messages, ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } });
    expect(calls.map(({ purpose }) => purpose)).toEqual(['draft', 'draft', 'answer']);
  });

  it('that is to be explained is played in full', async () => {
    const { calls } = await app.complete({ model: 'ensemble', messages, reasoning: { effort: 'low' } });
    expect(calls.length).toBeGreaterThan(2);
  });

  it('in a conversation of people, as one message among others, starts the panel', async () => {
    const asked = [...messages, { role: 'assistant', content: REPLY }, { role: 'user', content: 'And for a berry?' }];
    const { calls } = await app.complete({ model: 'ensemble', messages: asked });
    expect(calls.length).toBeGreaterThan(1);
  });
});
