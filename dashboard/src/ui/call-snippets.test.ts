import { type SampleCall, snippetOf } from './call-snippets';

const CALL: SampleCall = {
  baseUrl: 'http://127.0.0.1:8080/v1',
  apiKey: 'sk-ens_x',
  body: {
    model: 'ensemble',
    messages: [{ role: 'user', content: `What's "it"?\n` }],
    stream: false,
    ai_ensemble: { rounds: 2 },
  },
};

describe('the program for a call', () => {
  it('is curl, in which no quote of the question ends the shell’s', () => {
    expect(snippetOf(CALL, 'curl')).toBe(
      String.raw`curl 'http://127.0.0.1:8080/v1/chat/completions' \
  -H 'Authorization: Bearer sk-ens_x' \
  -H 'Content-Type: application/json' \
  -d '{"model":"ensemble","messages":[{"role":"user","content":"What'\''s \"it\"?\n"}],"stream":false,"ai_ensemble":{"rounds":2}}'`,
    );
  });

  it('is Python, with Python’s words, and what its client does not know as an extra', () => {
    expect(snippetOf(CALL, 'python')).toBe(
      String.raw`# pip install openai
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key="sk-ens_x")
completion = client.chat.completions.create(
    model="ensemble",
    messages=[{"role": "user", "content": "What's \"it\"?\n"}],
    stream=False,
    extra_body={"ai_ensemble": {"rounds": 2}},
)
print(completion.choices[0].message.content)`,
    );
  });

  it('is TypeScript, which takes what its client has no type for', () => {
    const { body, ...rest } = CALL;
    const { messages: _, ...short } = body;
    expect(snippetOf({ ...rest, body: short }, 'typescript')).toBe(
      `// npm install openai; save this as ask.mts and run it with node ask.mts (Node.js 22.18 or newer)
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: "sk-ens_x" });
const completion = await client.chat.completions.create({
  model: "ensemble",
  stream: false,
  ...({ ai_ensemble: {"rounds":2} } as object),
});
console.log(completion.choices[0]?.message.content);`,
    );
  });
});
