import { selfIdentificationMask } from './self-identification';

const PANEL = ['gpt-4o', 'GPT-4o', 'claude-sonnet-5', 'Claude Sonnet 5', 'gemini-2.5-pro', 'Gemini 2.5 Pro', 'solar'];
const LOCAL = ['mistral-large', 'qwen3-30b', 'deepseek-r1', 'llama3.1:70b', 'vendor/odd-7b', 'o3'];
const mask = selfIdentificationMask([...PANEL, ...LOCAL], ['How long is a day?']);

/** What a text says of its author, and what readers are shown. */
const HIDDEN: readonly (readonly [text: string, shown: string])[] = [
  ['I am gpt-4o.', 'I am [a model].'],
  ['I am GPT-4o, and I disagree.', 'I am [a model], and I disagree.'],
  ["I'm Claude Sonnet 5 and I think so.", "I'm [a model] and I think so."],
  ['I’m Claude.', 'I’m [a model].'],
  ['I am **Claude**, ready to help.', 'I am **[a model]**, ready to help.'],
  ['Hello! I am Claude 3.5 Sonnet.', 'Hello! I am [a model].'],
  ['I am gpt-4o-mini', 'I am [a model]'],
  ['I am GPT-4o-mini.', 'I am [a model].'],
  ['I am o3.', 'I am [a model].'],
  ['I am solar.', 'I am [a model].'],
  ['My name is Gemini.', 'My name is [a model].'],
  ['This is GPT-4o.', 'This is [a model].'],
  ['This is Claude speaking.', 'This is [a model] speaking.'],
  ['As GPT-4o, I cannot browse.', 'As [a model], I cannot browse.'],
  ['As gpt-4o I say', 'As [a model] I say'],
  ['as Gemini, my view is another', 'as [a model], my view is another'],
  ['Written by Claude Sonnet 5', 'Written by [a model]'],
  ['This answer was written by GPT-4o.', 'This answer was written by [a model].'],
  ['I am Claude, made by Anthropic.', 'I am [a model], made by [a company].'],
  ['I am Claude, an AI assistant created by Anthropic.', 'I am [a model], an AI assistant created by [a company].'],
  ['I was made by Anthropic.', 'I was made by [a company].'],
  ['As a model developed by OpenAI, I agree.', 'As a model developed by [a company], I agree.'],
  ['As a language model trained by Google, I agree.', 'As a language model trained by [a company], I agree.'],
  ['I am a large language model, trained by Google.', 'I am a large language model, trained by [a company].'],
  ['I am Claude (Anthropic).', 'I am [a model] ([a company]).'],
  ['i am claude.', 'i am [a model].'],
  ['I am vendor/odd-7b.', 'I am [a model].'],
  ['I am DeepSeek-R1.', 'I am [a model].'],
  ['I am Llama 3.1, built by Meta.', 'I am [a model], built by [a company].'],
  ['It is long.\n\n— Claude', 'It is long.\n\n— [a model]'],
  ['It is long. — GPT-4o', 'It is long. — [a model]'],
  ['It is long.\n\n-- Claude Sonnet 5\n', 'It is long.\n\n-- [a model]\n'],
  ['It is long.\n- Claude', 'It is long.\n- [a model]'],
  ['It is long.\n\nBest regards, GPT-4o', 'It is long.\n\nBest regards, [a model]'],
  ['It is long.\n\nSincerely,\nClaude', 'It is long.\n\nSincerely,\n[a model]'],
  ['```\nx\n```\n\n— Claude', '```\nx\n```\n\n— [a model]'],
  ['Ich bin Claude.', 'Ich bin [a model].'],
  ['Ich bin GPT-4o und denke anders.', 'Ich bin [a model] und denke anders.'],
  ['Als GPT-4o kann ich das nicht.', 'Als [a model] kann ich das nicht.'],
  ['Ich wurde von Anthropic entwickelt.', 'Ich wurde von [a company] entwickelt.'],
  ['Als von OpenAI entwickeltes Modell rate ich ab.', 'Als von [a company] entwickeltes Modell rate ich ab.'],
  ['Es ist so.\n\nMit freundlichen Grüßen\nGPT-4o', 'Es ist so.\n\nMit freundlichen Grüßen\n[a model]'],
  ['Je suis Claude, un assistant créé par Anthropic.', 'Je suis [a model], un assistant créé par [a company].'],
  ['En tant que GPT-4o, je ne peux pas.', 'En tant que [a model], je ne peux pas.'],
  ['Je suis un modèle de langage développé par OpenAI.', 'Je suis un modèle de langage développé par [a company].'],
  ['C’est long.\n\nCordialement,\nClaude', 'C’est long.\n\nCordialement,\n[a model]'],
  ['Soy Gemini.', 'Soy [a model].'],
  ['Como GPT-4o, no puedo navegar.', 'Como [a model], no puedo navegar.'],
  ['Fui creado por Anthropic.', 'Fui creado por [a company].'],
  ['Soy un modelo de lenguaje entrenado por Google.', 'Soy un modelo de lenguaje entrenado por [a company].'],
  ['Eu sou o Claude.', 'Eu sou o [a model].'],
  ['Fui treinado pela Anthropic.', 'Fui treinado pela [a company].'],
  ['Sono Claude, creato da Anthropic.', 'Sono [a model], creato da [a company].'],
  ['Come GPT-4o, non posso.', 'Come [a model], non posso.'],
  ['Ik ben Claude.', 'Ik ben [a model].'],
  ['Ik ben een taalmodel ontwikkeld door Google.', 'Ik ben een taalmodel ontwikkeld door [a company].'],
  ['你好，我是Claude。', '你好，我是[a model]。'],
  ['我是由OpenAI开发的语言模型。', '我是由[a company]开发的语言模型。'],
  ['作为GPT-4o，我认为不对。', '作为[a model]，我认为不对。'],
  ['私はClaudeです。', '私は[a model]です。'],
  ['私はAnthropicによって開発されました。', '私は[a company]によって開発されました。'],
  ['저는 GPT-4o입니다.', '저는 [a model]입니다.'],
  ['저는 OpenAI에서 개발한 모델입니다.', '저는 [a company]에서 개발한 모델입니다.'],
];

/** What a text is about. */
const LEFT_ALONE: readonly string[] = [
  'call GPT-4o from Python',
  'client.chat.completions.create(model="gpt-4o")',
  'Set `model` to gpt-4o, or to claude-sonnet-5.',
  'Install solar panels.',
  'This is solar, not wind.',
  'This is solar energy at its best.',
  'As solar panels get cheaper, I buy some.',
  'I am solar powered.',
  'Claude was developed by Anthropic.',
  'GPT-4o is older than Gemini 2.5 Pro.',
  'The letter was written by Claude Monet.',
  'The report was written by Claude.',
  'I am Claude Monet.',
  'I am Claude’s cousin.',
  'This is GPT-4o output.',
  'This is Claude Shannon speaking.',
  'As GPT-4o shows, size matters.',
  'As with Claude, the price counts.',
  'The models are:\n- Claude\n- GPT-4o',
  'The best of them — Claude',
  'My favourite is Claude',
  'I work with a model made by OpenAI.',
  'I am a fan of the model made by OpenAI.',
  'I am happy with what Google made.',
  '- Created by OpenAI\n- Released in 2024',
  'Say `I am Claude` aloud.',
  '```\nprint("I am Claude")\n```',
  '~~~\nI am GPT-4o.\n~~~\nDone.',
  'It prints ``I am `GPT-4o`.`` then.',
  'It ends so:\n```\n— Claude\n```',
  '```\nI am Claude.',
  'Ich benutze GPT-4o.',
  'Als GPT-4o erschien, war alles anders.',
  'Comme Claude, il est prudent.',
  'Es como Gemini.',
  '我喜欢Claude。',
  '我是Claude的用户。',
  'Claudeは便利です。',
  '저는 GPT-4o를 씁니다.',
  'I am vendor/odd-7bc.',
  'Siam Claude.',
  'I am [a model].',
];

describe('selfIdentificationMask', () => {
  it.each(HIDDEN)('%j reads %j', (text, shown) => expect(mask(text)).toBe(shown));

  it.each(LEFT_ALONE)('%j stays', (text) => expect(mask(text)).toBe(text));

  it('leaves every name of a family alone that the user speaks of, and hides the others', () => {
    const said = selfIdentificationMask(PANEL, ['Hello', 'Is claude any good?']);
    expect(said('I am Claude Sonnet 5.')).toBe('I am Claude Sonnet 5.');
    expect(said('I am Claude.')).toBe('I am Claude.');
    expect(said('I am GPT-4o.')).toBe('I am [a model].');
  });

  it('leaves a maker alone that the user speaks of, and hides its models', () => {
    const said = selfIdentificationMask(PANEL, ['A formula for Google Sheets']);
    expect(said('I am Gemini, made by Google.')).toBe('I am [a model], made by Google.');
  });

  it('leaves a model of no family alone that the user speaks of, but not one whose name is part of a word', () => {
    expect(selfIdentificationMask(['odd-7b'], ['What is ODD-7B?'])('I am odd-7b.')).toBe('I am odd-7b.');
    expect(selfIdentificationMask(['odd'], ['Oddities'])('I am odd.')).toBe('I am [a model].');
  });

  it('knows only families of the panel', () => {
    expect(selfIdentificationMask(['gpt-4o'], [])('I am Claude, made by Anthropic.')).toBe(
      'I am Claude, made by Anthropic.',
    );
    expect(selfIdentificationMask([], [])('I am Claude.')).toBe('I am Claude.');
  });

  it('takes a name for what it is, not for a pattern', () => {
    const odd = selfIdentificationMask(['a.b*c', '$&[x]'], []);
    expect(odd('I am a.b*c. I am $&[x]. I am axbbc.')).toBe('I am [a model]. I am [a model]. I am axbbc.');
  });

  it('goes on behind a name that nothing leads to, also one that begins with a pair of surrogates', () => {
    expect(selfIdentificationMask(['🤖bot', 'bot'], [])('See 🤖bot. I am 🤖bot.')).toBe('See 🤖bot. I am [a model].');
  });
});

describe('the patterns of a panel', () => {
  const TEXT = 'I am GPT-4o, made by OpenAI.\n\n— Claude';
  const SHOWN = 'I am [a model], made by [a company].\n\n— [a model]';

  /** How many patterns a run builds whose participants, by these names, say who they are. */
  function builtFor(names: readonly string[], said: readonly string[] = []): number {
    const BuiltIn = globalThis.RegExp;
    let built = 0;
    globalThis.RegExp = new Proxy(BuiltIn, {
      construct: (target, given) => {
        built += 1;
        return Reflect.construct(target, given);
      },
    });
    try {
      const hide = selfIdentificationMask(names, said);
      expect(hide(TEXT)).toBe(SHOWN);
      hide('As Claude, I differ. Best regards, GPT-4o');
      hide('Nobody is named here.');
      return built;
    } finally {
      globalThis.RegExp = BuiltIn;
    }
  }

  it('are built once, whatever order it is named in and whatever users say of others', () => {
    const panel = ['gpt-4o', 'claude-sonnet-5', 'once-1'];
    expect(builtFor(panel)).toBeGreaterThan(0);
    expect(builtFor(panel)).toBe(0);
    expect(builtFor([...panel].reverse(), ['Is Gemini any good?'])).toBe(0);
  });

  it('are those of its names alone: the phrases of all languages are built once for all panels', () => {
    builtFor(['gpt-4o', 'claude-sonnet-5', 'first-1']);
    // Two of names and one of signatures; of makers five, by what stands behind: in German, Chinese, Japanese, Korean, or not.
    expect(builtFor(['gpt-4o', 'claude-sonnet-5', 'second-2'])).toBe(8);
  });

  it('are not built for texts that name nobody', () => {
    const BuiltIn = globalThis.RegExp;
    const refuse = () => {
      throw new Error('a pattern was built');
    };
    globalThis.RegExp = new Proxy(BuiltIn, { construct: refuse });
    try {
      expect(selfIdentificationMask(['gpt-4o', 'nobody-1'], [])('It is so.')).toBe('It is so.');
    } finally {
      globalThis.RegExp = BuiltIn;
    }
  });

  it('are kept of the latest panels only, and not of endless names', () => {
    const panel = ['gpt-4o', 'claude-sonnet-5', 'bounded-1'];
    builtFor(panel);
    for (let other = 0; other < 100; other += 1) builtFor(['gpt-4o', 'claude-sonnet-5', `other-${other}`]);
    expect(builtFor(panel)).toBeGreaterThan(0);
    const endless = ['gpt-4o', 'claude-sonnet-5', 'x'.repeat(5_000)];
    builtFor(endless);
    expect(builtFor(endless)).toBeGreaterThan(0);
  });
});
