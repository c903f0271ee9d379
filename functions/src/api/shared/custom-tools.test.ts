import { customArguments, customInput, customNames, customTool } from './custom-tools';

describe('tools that take text', () => {
  it('are functions with one string, whose grammar is told in words', () => {
    const grammar = { syntax: 'lark', definition: 'start: "a"+' };
    expect(customTool({ name: 'patch', description: 'Edits.', grammar })).toEqual({
      name: 'patch',
      description: 'Edits.\n\nThe input must match this grammar (lark):\nstart: "a"+',
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The whole input, as text.' } },
        required: ['input'],
        additionalProperties: false,
      },
    });
    expect(customTool({ name: 'run' })).not.toHaveProperty('description');
  });

  it('have the text of a call in its arguments, whatever it is', () => {
    for (const text of ['', '*** Begin Patch\n"a"\\\u2028', '{"input":"x"}'])
      expect(customInput(customArguments(text))).toBe(text);
  });

  it.each(['', 'null', '7', '"text"', '[]', '{"input":7}', '{"patch":"x"}', '{"input":"x'])(
    'have what the model wrote where it wrote no such arguments: %j',
    (written) => {
      expect(customInput(written)).toBe(written);
    },
  );

  it('are found by name in a request', () => {
    const tools = [{ type: 'custom', custom: { name: 'a' } }, { type: 'function' }, null];
    expect([...customNames({ tools })]).toEqual(['a']);
    expect([{}, { tools: null }, { tools: 'x' }].map((sent) => customNames(sent).size)).toEqual([0, 0, 0]);
  });
});
