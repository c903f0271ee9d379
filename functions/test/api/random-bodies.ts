import fc from '../support/properties';

/** Requests of every protocol for one conversation, sound or with something broken at any place. */

/** Unique part of all that is said: no error and no line of the log may repeat it. */
export const CANARY = 'cAnArY-said';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Part = { readonly text: string } | { readonly image: true };

/** Messages of one step of a conversation; an assistant's calls are followed by their results. */
interface Step {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly Part[];
  /** Said as a bare text, where the protocol has one. */
  readonly isBare: boolean;
  readonly thought: boolean;
  readonly calls: readonly { readonly tool: number; readonly json: string; readonly result: string }[];
}

type Fields = Record<string, unknown>;

const said = fc.oneof(
  fc
    .constantFrom('Why?', 'Wait: <<0 A>>', '🍅 “fruit”', '{"a":1}', 'ens1.', 'line\n\nline')
    .map((text) => `${CANARY} ${text}`),
  fc.string({ maxLength: 20 }).map((text) => `${CANARY}${text}`),
);
const argumentsOf = fc.constantFrom('{}', '{"word":"a"}', `{"said":"${CANARY}"}`, '{"deep":{"list":[1,null,true]}}');
const call = fc.record({ tool: fc.nat({ max: 2 }), json: argumentsOf, result: said });

const stepOf = (role: Step['role']): fc.Arbitrary<Step> =>
  fc.record({
    role: fc.constant(role),
    parts: fc.array(
      fc.oneof(
        { weight: role === 'user' ? 6 : 1, arbitrary: said.map((text) => ({ text })) },
        { weight: role === 'user' ? 1 : 0, arbitrary: fc.constant({ image: true } as const) },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    isBare: fc.boolean(),
    thought: fc.boolean(),
    calls: role === 'assistant' ? fc.array(call, { maxLength: 2 }) : fc.constant([]),
  });

/** Ends with what the user says, or with results. */
const conversation = fc
  .tuple(
    fc.array(fc.oneof(stepOf('user'), stepOf('assistant'), stepOf('system')), { maxLength: 4 }),
    stepOf('user'),
    fc.option(stepOf('assistant'), { nil: undefined }),
  )
  .map(([before, user, last]) => [...before, user, ...(last && last.calls.length > 0 ? [last] : [])]);

const NAMES = ['look_up', 'now', 'apply-patch'] as const;
const SCHEMA = { type: 'object', properties: { word: { type: 'string' } } };
const nameOf = (tool: number): string => NAMES[tool] ?? NAMES[0];
const textOf = (parts: readonly Part[]): string => parts.map((part) => ('text' in part ? part.text : '')).join('\n');
const hasImage = (parts: readonly Part[]): boolean => parts.some((part) => 'image' in part);
/** Ids of calls, the same for a call and its result. */
const idOf = (step: number, at: number): string => `call_${step}_${at}`;

function chatMessages(steps: readonly Step[]): Fields[] {
  return steps.flatMap(({ role, parts, isBare, thought, calls }, step) => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
    const list = parts.map((part) => ('text' in part ? { type: 'text', text: part.text } : image));
    const tool_calls = calls.map(({ tool, json }, at) => ({
      id: idOf(step, at),
      type: 'function',
      function: { name: nameOf(tool), arguments: json },
    }));
    const results = calls.map(({ result }, at) => ({ role: 'tool', tool_call_id: idOf(step, at), content: result }));
    return [
      {
        role,
        content: isBare && !hasImage(parts) ? textOf(parts) : list,
        ...(calls.length > 0 && { tool_calls }),
        ...(thought && role === 'assistant' && { reasoning_content: CANARY }),
      },
      ...results,
    ];
  });
}

function items(steps: readonly Step[]): Fields[] {
  return steps.flatMap(({ role, parts, isBare, thought, calls }, step) => {
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    const image = { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PIXEL}` };
    const list = parts.map((part) => ('text' in part ? { type, text: part.text } : image));
    const reasoning = { type: 'reasoning', id: `rs_${step}`, summary: [{ type: 'summary_text', text: CANARY }] };
    return [
      ...(thought && role === 'assistant' ? [reasoning] : []),
      { ...(!isBare && { type: 'message' }), role, content: isBare && !hasImage(parts) ? textOf(parts) : list },
      ...calls.map(({ tool, json }, at) => ({
        ...{ type: 'function_call', id: `fc_${step}_${at}`, call_id: idOf(step, at) },
        ...{ name: nameOf(tool), arguments: json, status: 'completed' },
      })),
      ...calls.map(({ result }, at) => ({
        ...{ type: 'function_call_output', call_id: idOf(step, at) },
        output: isBare ? result : [{ type: 'input_text', text: result }],
      })),
    ];
  });
}

function blockMessages(steps: readonly Step[]): Fields[] {
  return steps.flatMap(({ role, parts, isBare, thought, calls }, step) => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
    const list = parts.map((part) => ('text' in part ? { type: 'text', text: part.text } : image));
    const uses = calls.map(({ tool, json }, at) => ({
      ...{ type: 'tool_use', id: idOf(step, at), name: nameOf(tool), input: JSON.parse(json) },
    }));
    const results = calls.map(({ result }, at) => ({
      ...{ type: 'tool_result', tool_use_id: idOf(step, at), is_error: at > 0 },
      content: isBare ? result : [{ type: 'text', text: result }],
    }));
    const thinking = { type: 'thinking', thinking: CANARY, signature: 'someone else’s' };
    const isText = isBare && calls.length === 0 && !hasImage(parts);
    return [
      {
        role,
        content: isText ? textOf(parts) : [...(thought && role === 'assistant' ? [thinking] : []), ...list, ...uses],
      },
      ...(results.length > 0 ? [{ role: 'user', content: results }] : []),
    ];
  });
}

/** A field that most requests have not. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const tools = (form: (name: string) => Fields) => seldom(fc.subarray(NAMES.map(form), { minLength: NAMES.length }));

/** Fields that all protocols have. */
const common = {
  model: fc.constantFrom('gpt-4o', 'gpt-4o', 'ensemble', 'gpt-4.1'),
  stream: fc.boolean(),
  temperature: seldom(fc.double({ min: 0, max: 1, noNaN: true })),
  ai_ensemble: seldom(
    fc.record({
      models: fc.constant(['gpt-4o', 'gpt-4.1']),
      rounds: fc.constantFrom(1, 2),
      includeCandidates: fc.boolean(),
      dryRun: fc.constantFrom(false, false, false, true),
    }),
  ),
};

const chatBodies = fc.record({
  ...common,
  messages: conversation.map(chatMessages),
  tools: tools((name) => ({ type: 'function', function: { name, parameters: SCHEMA } })),
  tool_choice: seldom(fc.constantFrom('auto', 'none')),
  stream_options: seldom(fc.record({ include_usage: fc.boolean() })),
  response_format: seldom(fc.constantFrom({ type: 'text' }, { type: 'json_object' })),
  max_tokens: seldom(fc.integer({ min: 1, max: 9_999 })),
});

const itemBodies = fc.record({
  ...common,
  input: fc.oneof({ weight: 1, arbitrary: said }, { weight: 5, arbitrary: conversation.map(items) }),
  instructions: seldom(said),
  tools: tools((name) => ({ type: 'function', name, strict: false, parameters: SCHEMA })),
  tool_choice: seldom(fc.constantFrom('auto', 'none')),
  text: seldom(fc.constant({ format: { type: 'text' }, verbosity: 'low' })),
  reasoning: seldom(fc.constantFrom({ summary: 'auto' }, { effort: 'low' })),
  include: seldom(fc.constant(['reasoning.encrypted_content'])),
  store: seldom(fc.boolean()),
  metadata: seldom(fc.constant({ said: CANARY })),
  max_output_tokens: seldom(fc.integer({ min: 1, max: 9_999 })),
});

const blockBodies = fc.record({
  ...common,
  max_tokens: fc.integer({ min: 1, max: 9_999 }),
  messages: conversation.map(blockMessages),
  system: seldom(
    fc.oneof(
      said,
      said.map((text) => [{ type: 'text', text, cache_control: { type: 'ephemeral' } }]),
    ),
  ),
  tools: tools((name) => ({ name, input_schema: SCHEMA })),
  tool_choice: seldom(fc.constantFrom({ type: 'auto' }, { type: 'none' })),
  thinking: seldom(fc.constantFrom({ type: 'disabled' }, { type: 'adaptive', display: 'omitted' })),
  stop_sequences: seldom(fc.constant(['###'])),
  metadata: seldom(fc.constant({ user_id: CANARY })),
});

/** One message of an MCP client, most of them calls of tools. */
const mcpMessages = fc
  .record({
    id: fc.oneof(fc.integer({ min: 0 }), fc.constant('a-1')),
    call: fc.oneof(
      {
        weight: 6,
        arbitrary: toolCall('ask', { context: seldom(said), strategy: seldom(fc.constant('debate_tournament')) }),
      },
      { weight: 1, arbitrary: toolCall('plan', { maxCostUsd: seldom(fc.constantFrom(1, 10)) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          name: fc.constant('evaluate'),
          arguments: fc.record({ prompt: said, responses: fc.array(said, { minLength: 1, maxLength: 3 }) }),
        }),
      },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    _meta: seldom(fc.record({ progressToken: fc.constantFrom<unknown>(0, 7, 'token') })),
  })
  .map(({ id, call, _meta }) => ({
    ...{ jsonrpc: '2.0', id, method: call ? 'tools/call' : 'tools/list' },
    params: { ...call, ...(_meta && { _meta }) },
  }));

function toolCall(name: string, more: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record({ name: fc.constant(name), arguments: fc.record({ question: said, ...more }) });
}

/** Values that no client means to send. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 0, -1, 1e308, true, [], {}, [[]], [null], [{}], { type: '__proto__' }),
  fc.constantFrom<unknown>({ type: 'text' }, { type: 'tool_result' }, { role: 'user' }, '\ud800', 'a\u0000b'),
  fc.jsonValue({ maxDepth: 2 }),
);

const change = fc.record({
  at: fc.nat({ max: 1_000 }),
  how: fc.constantFrom('put', 'put', 'remove', 'double', 'rename'),
  value: junk,
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** A place in JSON, by what holds it. */
type Place = readonly [holder: Fields | unknown[], key: string];

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]): Place[] => [[value as Fields, key], ...placesIn(held)]);
}

/** The same with something put, removed, doubled or renamed at one of its places. */
function changed(body: Fields, { at, how, value }: Change): Fields {
  const copy = structuredClone(body);
  const places = placesIn(copy);
  const [holder, key] = places[at % places.length] ?? [copy, 'x'];
  if (Array.isArray(holder)) IN_LISTS[how](holder, Number(key), value);
  else IN_OBJECTS[how](holder, key, value);
  return copy;
}

type How = Change['how'];
const IN_LISTS: Readonly<Record<How, (list: unknown[], at: number, value: unknown) => void>> = {
  put: (list, at, value) => void list.splice(at, 1, value),
  remove: (list, at) => void list.splice(at, 1),
  double: (list, at) => void list.splice(at, 0, structuredClone(list[at])),
  rename: (list, at) => void list.reverse().push(list[at]),
};
const IN_OBJECTS: Readonly<Record<How, (object: Fields, key: string, value: unknown) => void>> = {
  put: (object, key, value) => void Object.assign(object, { [key]: value }),
  remove: (object, key) => void delete object[key],
  double: (object, key) => void Object.assign(object, { [key]: [object[key], object[key]] }),
  rename: (object, key) => {
    object[`${key}s`] = object[key];
    delete object[key];
  },
};

const bodies = (sound: fc.Arbitrary<object>) =>
  fc
    .tuple(
      sound,
      fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
      ),
    )
    .map(([body, changes]) => ({
      isSound: changes.length === 0,
      body: changes.reduce(changed, JSON.parse(JSON.stringify(body)) as Fields),
    }));

/** Bodies by the path where they are sent. */
export const BODIES: Readonly<Record<string, ReturnType<typeof bodies>>> = {
  '/v1/chat/completions': bodies(chatBodies),
  '/v1/responses': bodies(fc.record({ ...common, input: said, previous_response_id: seldom(said) })),
  '/openai/v1/chat/completions': bodies(chatBodies),
  '/openai/v1/responses': bodies(itemBodies),
  '/anthropic/v1/messages': bodies(blockBodies),
  '/anthropic/v1/messages/count_tokens': bodies(blockBodies.map(({ stream: _, max_tokens: _max, ...body }) => body)),
  '/mcp': bodies(mcpMessages),
};
