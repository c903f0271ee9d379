// What `npm start` and `npm run emulators` print when a person can begin: where, with which key, who will answer and at
// whose cost, and a line to try.

const MODELS_SHOWN_MAX = 8;

/**
 * `place` follows "is ready"; `facts` are further labelled lines; `speakers` is what the seed says of the models; `probed`
 * what the server behind OPENAI_BASE_URL said, where it was asked.
 */
export function announce({ place = '', facts = {}, baseUrl, key, speakers, probed }) {
  const { real, arbiter, panel, bills, unpriced } = speakers;
  const labelled = Object.entries({
    ...facts,
    'Base URL': baseUrl,
    'API key': key,
    Panel: counted(panel),
    Arbiter: arbiter,
    'Paid by': bills.join('; '),
    ...(unpriced.length > 0 && { 'No price': `${unpriced.join(', ')}: listed at cost 0 (docs/models.md)` }),
    ...(probed && { Server: serverLine(probed) }),
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

/** `a × 3`, `a, b`. */
function counted(models) {
  const counts = new Map();
  for (const model of models) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts].map(([model, count]) => (count > 1 ? `${model} × ${count}` : model)).join(', ');
}

function serverLine({ url, error, models, defaultModel }) {
  if (error) return `${url}: ${error}. Questions fail until it answers (OPENAI_BASE_URL, OPENAI_API_KEY)`;
  if (!defaultModel) return `${url} names no model that can be asked: set DEFAULT_MODEL`;
  const more = models.length - MODELS_SHOWN_MAX;
  const shown = models.slice(0, MODELS_SHOWN_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${url} serves ${shown}; DEFAULT_MODEL names another than ${defaultModel}`;
}
