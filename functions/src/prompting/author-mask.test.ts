import { setFlagsFromString } from 'node:v8';
import { authorMask } from './author-mask';

const PANEL = ['gpt-4o', 'GPT-4o', 'claude-sonnet-5', 'Claude Sonnet 5', 'gemini-2.5-pro', 'Gemini 2.5 Pro', 'solar'];
const LOCAL = ['mistral-large', 'qwen3-30b', 'deepseek-r1', 'llama3.1:70b', 'vendor/odd-7b', 'o3'];
const mask = authorMask([...PANEL, ...LOCAL], ['How long is a day?']);

/** Texts that name their author, and as readers are shown them. */
const HIDDEN: readonly (readonly [text: string, shown: string])[] = [
  ['I am GPT-4o, and I disagree.', 'I am [a model], and I disagree.'],
  ["I'm Claude Sonnet 5 and I think so.", "I'm [a model] and I think so."],
  ['I am **Claude**, ready to help.', 'I am **[a model]**, ready to help.'],
  ['Hello! I am Claude 3.5 Sonnet.', 'Hello! I am [a model].'],
  ['I am gpt-4o-mini', 'I am [a model]'],
  ['I am solar.', 'I am [a model].'],
  ['My name is Gemini.', 'My name is [a model].'],
  ['This is GPT-4o.', 'This is [a model].'],
  ['This is Claude speaking.', 'This is [a model] speaking.'],
  ['As GPT-4o, I cannot browse.', 'As [a model], I cannot browse.'],
  ['as Gemini, my view is another', 'as [a model], my view is another'],
  ['This answer was written by GPT-4o.', 'This answer was written by [a model].'],
  ['I am Claude, made by Anthropic.', 'I am [a model], made by [a company].'],
  ['I am Claude, an AI assistant created by Anthropic.', 'I am [a model], an AI assistant created by [a company].'],
  ['I was made by **Anthropic**.', 'I was made by **[a company]**.'],
  ['As a language model trained by Google, I agree.', 'As a language model trained by [a company], I agree.'],
  ['I am a large language model, trained by Google.', 'I am a large language model, trained by [a company].'],
  ['I am Claude (Anthropic).', 'I am [a model] ([a company]).'],
  ['I am vendor/odd-7b.', 'I am [a model].'],
  ['I am Llama 3.1, built by Meta.', 'I am [a model], built by [a company].'],
  ['It is long. — GPT-4o', 'It is long. — [a model]'],
  ['It is long.\n\n-- Claude Sonnet 5\n', 'It is long.\n\n-- [a model]\n'],
  ['It is long.\n- Claude', 'It is long.\n- [a model]'],
  ['It is long.\n\nBest regards, GPT-4o', 'It is long.\n\nBest regards, [a model]'],
  ['It is long.\n\nSincerely,\nClaude', 'It is long.\n\nSincerely,\n[a model]'],
  ['```\nx\n```\n\n— Claude', '```\nx\n```\n\n— [a model]'],
];

/** Texts that speak of models as their topic, and others that name no author. */
const LEFT_ALONE: readonly string[] = [
  'call GPT-4o from Python',
  'This is solar, not wind.',
  'This is solar energy at its best.',
  'As solar panels get cheaper, I buy some.',
  'Claude was developed by Anthropic.',
  'The letter was written by Claude Monet.',
  'The report was written by Claude.',
  'I am Claude Monet.',
  'I am Claude’s cousin.',
  'This is GPT-4o output.',
  'This is Claude Shannon speaking.',
  'As GPT-4o shows, size matters.',
  'The models are:\n- Claude\n- GPT-4o',
  'The best of them — Claude',
  'I work with a model made by OpenAI.',
  'I am a fan of the model made by OpenAI.',
  '- Created by OpenAI\n- Released in 2024',
  'Say `I am Claude` aloud.',
  '```\nprint("I am Claude")\n```',
  '~~~\nI am GPT-4o.\n~~~\nDone.',
  'It prints ``I am `GPT-4o`.`` then.',
  'It ends so:\n```\n— Claude\n```',
  '```\nI am Claude.',
  'I am vendor/odd-7bc.',
  'Siam Claude.',
  'I am [a model].',
];

describe('authorMask', () => {
  it.each(HIDDEN)('%j reads %j', (text, shown) => expect(mask(text)).toBe(shown));

  it.each(LEFT_ALONE)('%j stays', (text) => expect(mask(text)).toBe(text));

  it('leaves every name of a family alone that the user speaks of, and hides the others', () => {
    const said = authorMask(PANEL, ['Hello', 'Is claude any good?']);
    expect(said('I am Claude Sonnet 5.')).toBe('I am Claude Sonnet 5.');
    expect(said('I am Claude.')).toBe('I am Claude.');
    expect(said('I am GPT-4o.')).toBe('I am [a model].');
  });

  it('leaves a maker alone that the user speaks of, and hides its models', () => {
    const said = authorMask(PANEL, ['A formula for Google Sheets']);
    expect(said('I am Gemini, made by Google.')).toBe('I am [a model], made by Google.');
  });

  it('leaves a model of no family alone that the user speaks of, but not one whose name is part of a word', () => {
    expect(authorMask(['odd-7b'], ['What is ODD-7B?'])('I am odd-7b.')).toBe('I am odd-7b.');
    expect(authorMask(['odd'], ['Oddities'])('I am odd.')).toBe('I am [a model].');
  });

  it('knows only families of the panel', () => {
    expect(authorMask(['gpt-4o'], [])('I am Claude, made by Anthropic.')).toBe('I am Claude, made by Anthropic.');
    expect(authorMask([], [])('I am Claude.')).toBe('I am Claude.');
  });

  it('regression: hides as much where V8 optimises no patterns, as once a process has had very many', () => {
    setFlagsFromString('--no-regexp-optimization');
    try {
      // A name of its own: patterns that were compiled before are taken again.
      const late = authorMask([...PANEL, ...LOCAL, 'unoptimised-1'], ['How long is a day?']);
      expect(HIDDEN.map(([text]) => late(text))).toEqual(HIDDEN.map(([, shown]) => shown));
      expect(LEFT_ALONE.map(late)).toEqual(LEFT_ALONE);
    } finally {
      setFlagsFromString('--regexp-optimization');
    }
  });

  it('takes a name for what it is, not for a pattern', () => {
    const odd = authorMask(['a.b*c', '$&[x]'], []);
    expect(odd('I am a.b*c. I am $&[x]. I am axbbc.')).toBe('I am [a model]. I am [a model]. I am axbbc.');
  });

  it('goes on behind a name that nothing leads to, also one that begins with a pair of surrogates', () => {
    expect(authorMask(['🤖bot', 'bot'], [])('See 🤖bot. I am 🤖bot.')).toBe('See 🤖bot. I am [a model].');
  });
});
