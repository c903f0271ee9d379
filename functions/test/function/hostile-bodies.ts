import type { SeededRandom } from '../proof/seeded-random';

/** One of several. */
export function pick<T>(random: SeededRandom, choices: readonly T[]): T {
  return choices[random.below(choices.length)] as T;
}

/** True in `percent` of all cases. */
export function chance(random: SeededRandom, percent: number): boolean {
  return random.below(100) < percent;
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Unexpected JSON values, as text, since half of them no program would write. */
const VALUES: readonly string[] = [
  ...['null', 'true', '0', '-0', '-1', '0.1', '1e400', '-1e400', '1e-400', '9007199254740993', '1'.repeat(400)],
  ...['NaN', 'Infinity', '0x10', '01', '+1', '.5', "'a'", 'undefined', '{,}', '[1,]', '//', '"\n"', '"\t'],
  ...['""', '" "', '"\\u0000"', '"\\u001b[31m"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u202egpj.exe"', '"\\ufeff"'],
  ...['"__proto__"', '"constructor"', '"toString"', '"../../etc/passwd"', '"{{7*7}}"', `"'; DROP TABLE keys"`],
  ...['"2026-13-45T99:99:99Z"', '"-271821-04-20"', '"+275760-09-13"', '"NaN"', '"🍅"', `"${'x'.repeat(300)}"`],
  ...[
    '{}',
    '[]',
    '[[]]',
    '[{}]',
    '[null]',
    '{"":""}',
    '{"__proto__":{"role":"user"}}',
    '{"constructor":{"prototype":1}}',
  ],
  ...['{"length":1e9}', '{"toString":1,"valueOf":2}', '{"then":1}', '{"id":"a","name":null}', '[1,[2,[3,[4]]]]'],
  ...[nested(63), nested(64), nested(65), nested(3_000), `[${'1,'.repeat(20_000)}1]`, `[${'{},'.repeat(40_000)}1]`],
];

const KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  '\\u0000',
  'model',
  'a'.repeat(200),
];

/** An id that is in order, of a model that answers whatever it is called. */
const ODD_IDS: readonly string[] = [
  'demo-ada',
  'demo-__proto__',
  'demo-é',
  'demo-a b',
  'demo-../x',
  'demo-🍅',
  'demo-%00',
];

type Fields = [name: string, value: string][];

/** A body of an endpoint in which things are wrong, each for reasons of its own; now and then none are. */
export function hostileBody(random: SeededRandom, path: string, isHarmless: boolean): Buffer {
  const fields = FIELDS[path.replace(/[?].*/, '')]?.(random) ?? [];
  const odd = (): string => pick(random, VALUES);
  if (isHarmless) return Buffer.from(objectOf([...fields, ['__proto__', '{"stream":true}'], ['extra', '[[{}]]']]));
  for (let count = random.below(4); count >= 0; count -= 1) {
    const field = pick(random, fields);
    if (chance(random, 50)) field[1] = odd();
    else fields.push([pick(random, KEYS), odd()]);
  }
  // Else some would be runs, which take their time and their slot.
  const required = fields.find(([name]) => ['messages', 'input', 'responses'].includes(name));
  if (required) required[1] = pick(random, ['null', '[]', '{}', '""', '" "', '[{"role":"user","content":""}]', '[{}]']);
  return chance(random, 40) ? damaged(random, Buffer.from(objectOf(fields))) : Buffer.from(objectOf(fields));
}

const FIELDS: Readonly<Record<string, (random: SeededRandom) => Fields>> = {
  '/v1/chat/completions': (random) => [
    ['model', JSON.stringify(pick(random, ODD_IDS))],
    ['messages', '[{"role":"system","content":"a"},{"role":"user","content":[{"type":"text","text":"why?"}]}]'],
    ['temperature', '1'],
    ['max_tokens', '100'],
    ['reasoning', '{"effort":"low"}'],
    ['tools', '[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]'],
  ],
  '/v1/responses': (random) => [
    ['model', JSON.stringify(pick(random, ODD_IDS))],
    ['input', '"why?"'],
    ['top_p', '0.5'],
    ['ai_ensemble', `{"models":[${JSON.stringify(pick(random, ODD_IDS))}],"rounds":-1e400,"iterations":null}`],
  ],
  '/openai/v1/chat/completions': (random) => [
    ['model', JSON.stringify(pick(random, ODD_IDS))],
    [
      'messages',
      '[{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]},{"role":"user","content":"why?"}]',
    ],
    ['stream_options', '{"include_usage":true}'],
    ['tools', '[{"type":"custom","custom":{"name":"f","format":{"type":"text"}}}]'],
    ['tool_choice', '{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"custom","name":"f"}]}}'],
  ],
  '/openai/v1/responses': (random) => [
    ['model', JSON.stringify(pick(random, ODD_IDS))],
    [
      'input',
      '[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"ens1.e30"},{"role":"user","content":"why?"}]',
    ],
    ['instructions', '"briefly"'],
    [
      'tools',
      '[{"type":"function","name":"f","parameters":{"type":"object"}},{"type":"namespace","name":"n","tools":[]}]',
    ],
    ['text', '{"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}}'],
    ['reasoning', '{"summary":"auto","effort":"low"}'],
    ['include', '["reasoning.encrypted_content"]'],
  ],
  '/anthropic/v1/messages': blocks,
  '/anthropic/v1/messages/count_tokens': blocks,
  '/mcp': (random) => [
    ['jsonrpc', '"2.0"'],
    ['id', '1'],
    [
      'method',
      pick(random, ['"tools/list"', '"tools/call"', '"initialize"', '"server/discover"', '"__proto__"', '"ping"']),
    ],
    ['params', '{"name":"plan","arguments":{"question":"why?"},"_meta":{"progressToken":{"a":[]}}}'],
  ],
  '/v1/evaluations': (random) => [
    ['prompt', '"why?"'],
    ['responses', '[{"modelId":"__proto__","modelName":"constructor","response":"because"}]'],
    ['judge_models', `[{"id":${JSON.stringify(pick(random, ODD_IDS))},"name":"toString"}]`],
    ['strategy', '"standard"'],
    ['weighted', 'false'],
  ],
};

function blocks(random: SeededRandom): Fields {
  return [
    ['model', JSON.stringify(pick(random, ODD_IDS))],
    ['max_tokens', '1024'],
    ['system', '[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}}]'],
    [
      'messages',
      '[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[]},{"type":"text","text":"why?"}]}]',
    ],
    ['tools', '[{"name":"f","input_schema":{"type":"object"},"defer_loading":true}]'],
    ['tool_choice', '{"type":"tool","name":"f"}'],
    ['thinking', '{"type":"adaptive"}'],
    ['output_config', '{"format":{"type":"json_schema","schema":{"type":"object"}}}'],
  ];
}

function objectOf(fields: Fields): string {
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

/** The same bytes, cut, overwritten, doubled or in another encoding. */
function damaged(random: SeededRandom, body: Buffer): Buffer {
  const at = random.below(body.length);
  const any = Buffer.from([random.below(256), random.below(256)]);
  return pick(random, [
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), any, body.subarray(at + 2)]),
    () => Buffer.concat([body.subarray(0, at), any, body.subarray(at)]),
    () => Buffer.concat([body, body]),
    () => Buffer.concat([Buffer.from('\ufeff'), body]),
    () => Buffer.from(body.toString('utf8'), 'utf16le'),
    () => Buffer.alloc(0),
  ])();
}
