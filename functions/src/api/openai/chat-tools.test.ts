import * as z from 'zod';
import { chatOffer, chatToolFields } from './chat-tools';

const schema = z.object(chatToolFields).transform(chatOffer);
const LOOK = { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } };
const PATCH = { type: 'custom', custom: { name: 'patch', description: 'Edits.', format: { type: 'text' } } };
const tools = [LOOK, PATCH];
const allowed = (mode: string, ...among: object[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: among },
});

describe('tools of chat completions', () => {
  it('are functions and such as take text', () => {
    const offer = schema.parse({ tools, parallel_tool_calls: false });
    expect(offer).toMatchObject({ tools: [LOOK.function, { name: 'patch', description: 'Edits.' }], parallel: false });
    expect(offer?.json).toBe(JSON.stringify(offer?.tools));
  });

  it.each([
    [{ type: 'custom', custom: { name: 'patch' } }, ['look', 'patch'], { name: 'patch' }],
    [{ type: 'function', function: { name: 'look' } }, ['look', 'patch'], { name: 'look' }],
    [allowed('required', { type: 'custom', custom: { name: 'patch' } }), ['patch'], 'required'],
    [allowed('auto', { type: 'function', function: { name: 'look' } }), ['look'], 'auto'],
  ])('are chosen from: %j', (tool_choice, offered, choice) => {
    const offer = schema.parse({ tools, tool_choice });
    expect(offer?.tools.map(({ name }) => name)).toEqual(offered);
    expect(offer?.choice).toEqual(choice);
  });

  it('are none where nothing is offered', () => {
    for (const fields of [{}, { tools: [] }, { tool_choice: 'auto' }, { tools: [], tool_choice: 'none' }])
      expect(schema.parse(fields)).toBeUndefined();
  });

  const CHOICE_RULE =
    'must be none, auto, required, a tool as {"type": "function", "function": {"name": "…"}}, or allowed_tools';
  it.each([
    [{ tool_choice: 'required' }, 'tool_choice', 'needs tools'],
    [
      { tools: [], tool_choice: allowed('auto', { type: 'function', function: { name: 'look' } }) },
      'tool_choice',
      'needs tools',
    ],
    [{ tools, tool_choice: { type: 'custom', custom: { name: 'other' } } }, 'tool_choice', 'names no tool of tools'],
    [
      { tools, tool_choice: allowed('auto', { type: 'function', function: { name: 'other' } }) },
      'tool_choice',
      'names no tool of tools',
    ],
    [{ tools, tool_choice: allowed('auto') }, 'tool_choice', CHOICE_RULE],
    [{ tools, tool_choice: allowed('none', LOOK) }, 'tool_choice', CHOICE_RULE],
    [{ tools: [{ type: 'web_search' }] }, 'tools.0.type', 'must be function or custom'],
    [{ tools: [{ type: 'custom', function: LOOK.function }] }, 'tools.0.custom', 'must be an object with a name'],
    [
      { tools: [{ type: 'custom', custom: { name: 'a b' } }] },
      'tools.0.custom.name',
      'must be 1 to 64 letters, digits, "_" or "-"',
    ],
    [
      { tools: [{ type: 'custom', custom: { name: 'a', format: { type: 'grammar', grammar: 'x' } } }] },
      'tools.0.custom.format.grammar',
      'must be an object with syntax and definition',
    ],
    [{ tools: [LOOK, LOOK] }, 'tools.1.function.name', 'is used twice'],
    [{ tools: [LOOK, PATCH, PATCH] }, 'tools.2.custom.name', 'is used twice'],
    [{ tools: Array(129).fill(LOOK) }, 'tools', 'at most 128 tools'],
  ])('are refused: %j', (fields, path, message) => {
    const { issues = [] } = schema.safeParse(fields).error ?? {};
    expect([issues[0]?.path.join('.'), issues[0]?.message]).toEqual([path, message]);
  });
});
