/** A request for a chat completion, as a program is to make it. */
export interface SampleCall {
  /** The base URL of the API, ending in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The body; of it `ai_ensemble` is what the OpenAI clients do not know. */
  readonly body: { readonly [field: string]: Json };
}

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };

/** The ways in which a call is written. */
export const SNIPPET_LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
] as const;

/** One of them. */
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]['id'];

const WRITERS: Readonly<Record<SnippetLanguage, (call: SampleCall) => string>> = { curl, python, typescript };
const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A program, whole, that makes the call. */
export function snippetOf(call: SampleCall, language: SnippetLanguage): string {
  return WRITERS[language](call);
}

function curl({ baseUrl, apiKey, body }: SampleCall): string {
  return [
    `curl ${shellQuoted(`${baseUrl}/chat/completions`)} \\`,
    `  -H ${shellQuoted(`Authorization: Bearer ${apiKey}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuoted(JSON.stringify(body))}`,
  ].join('\n');
}

function python({ baseUrl, apiKey, body }: SampleCall): string {
  const { ai_ensemble: options, ...known } = body;
  const fields = Object.entries({ ...known, ...(options !== undefined && { extra_body: { ai_ensemble: options } }) });
  return [
    '# pip install openai',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${quoted(baseUrl)}, api_key=${quoted(apiKey)})`,
    'completion = client.chat.completions.create(',
    ...fields.map(([name, value]) => `    ${name}=${pythonLiteral(value)},`),
    ')',
    'print(completion.choices[0].message.content)',
  ].join('\n');
}

function typescript({ baseUrl, apiKey, body }: SampleCall): string {
  const { ai_ensemble: options, ...known } = body;
  return [
    '// npm install openai; save this as ask.mts and run it with node ask.mts (Node.js 22.18 or newer)',
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: ${quoted(baseUrl)}, apiKey: ${quoted(apiKey)} });`,
    'const completion = await client.chat.completions.create({',
    ...Object.entries(known).map(([name, value]) => `  ${name}: ${quoted(value)},`),
    ...(options === undefined ? [] : [`  ...({ ai_ensemble: ${quoted(options)} } as object),`]),
    '});',
    'console.log(completion.choices[0]?.message.content);',
  ].join('\n');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** JSON is also a literal of JavaScript. */
function quoted(value: Json): string {
  return JSON.stringify(value);
}

function pythonLiteral(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, part]) => `${quoted(name)}: ${pythonLiteral(part)}`)
      .join(', ')}}`;
  }
  const text = JSON.stringify(value);
  return PYTHON_WORDS[text] ?? text;
}
