/**
 * Prints where a person can begin, with which key, who answers and at whose cost, and a line to try. `place` follows "is ready",
 * `facts` are further labelled lines, `speakers` comes from the seed, `probed` from the server behind OPENAI_BASE_URL.
 */
export function announce({ place = '', facts = {}, baseUrl, key, speakers, probed }) {
  const { real, arbiter, panel, bills, unpriced } = speakers;
  const labelled = Object.entries({
    ...facts,
    'Base URL': baseUrl,
    'API key': key,
    Panel: panel.join(', '),
    Arbiter: arbiter,
    'Paid by': bills.join('; '),
    ...(unpriced.length > 0 && { 'No price': `${unpriced.join(', ')}: listed at cost 0 (docs/models.md)` }),
    ...(probed && { Server: serverLine(probed) }),
    'Also at': ['/openai/v1', '/anthropic', '/mcp'].map((path) => baseUrl.replace(/\/v1$/, path)).join(', '),
    Docs: baseUrl.replace(/\/v1$/, '/docs'),
  });
  const width = Math.max(...labelled.map(([label]) => label.length)) + 2;
  const lines = labelled.map(([label, value]) => `${label}:`.padEnd(width) + value);
  const demo = ' with the built-in demo models (set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY for real ones)';
  const body = '{"model": "ensemble", "messages": [{"role": "user", "content": "Is a tomato a fruit?"}]}';
  const headers = `-H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`;
  console.log(`
Ensemble API is ready${place}${real ? '' : demo}.

${lines.join('\n')}

curl ${baseUrl}/chat/completions ${headers} -d '${body}'
`);
}

function serverLine({ url, error, models, defaultModel }) {
  if (error) return `${url}: ${error}. Questions fail until it answers (OPENAI_BASE_URL, OPENAI_API_KEY)`;
  if (!defaultModel) return `${url} names no model that can be asked: set DEFAULT_MODEL`;
  return `${url} serves ${models.length} models, ${defaultModel} among them; DEFAULT_MODEL names another`;
}
