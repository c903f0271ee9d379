// What `npm start` and `npm run emulators` print when a person can begin: where, with which key, and a line to try.

/** `place` follows "is ready"; `facts` are further labelled lines; `real`: a provider's models answer, not the demo ones. */
export function announce({ place = '', facts = {}, baseUrl, key, real }) {
  const demo = ' with the built-in demo models (set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY for real ones)';
  const labelled = Object.entries({ ...facts, 'Base URL': baseUrl, 'API key': key });
  const width = Math.max(...labelled.map(([label]) => label.length)) + 2;
  const lines = labelled.map(([label, value]) => `${label}:`.padEnd(width) + value);
  const body = '{"model": "ensemble", "messages": [{"role": "user", "content": "Is a tomato a fruit?"}]}';
  const headers = `-H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`;
  console.log(`
Ensemble API is ready${place}${real ? '' : demo}.

${lines.join('\n')}

curl ${baseUrl}/chat/completions ${headers} -d '${body}'
`);
}
