import { RecordingListener } from '../../../test/support/provider-calls';
import type { CallListener } from '../../models/model';
import { SpokenText } from './spoken-text';

interface Heard {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly aliveCount: number;
}

async function heard(say: (listener: CallListener) => void, { thoughtsUnopened = false } = {}): Promise<Heard> {
  const listener = new RecordingListener();
  const spoken = new SpokenText({ thoughtsUnopened }, listener);
  say(spoken);
  await spoken.end();
  return { text: listener.texts.join(''), pieces: listener.texts, aliveCount: listener.aliveCount };
}

const inPieces =
  (reply: string, characters: number) =>
  (listener: CallListener): void => {
    for (let at = 0; at < reply.length; at += characters) void listener.text(reply.slice(at, at + characters));
  };

const SPELLINGS: readonly (readonly [string, string, string])[] = [
  ['DeepSeek and Qwen', '<think>\nIs it {"a": 1}?\n</think>\n\n42', '42'],
  ['in capitals', '<THINK>hm</THINK>42', '42'],
  ['thinking', '<thinking>hm</thinking>\n42', '42'],
  ['reasoning', '<reasoning>hm</reasoning> 42', '42'],
  ['Seed', '<seed:think>hm</seed:think>42', '42'],
  ['Magistral', '[THINK]hm[/THINK]42', '42'],
  ['Kimi', '◁think▷hm◁/think▷42', '42'],
  ['gpt-oss', '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>', '42'],
  ['gpt-oss, from its role', '<|start|>assistant<|channel|>analysis<|message|>hm<|channel|>final<|message|>42', '42'],
  ['gpt-oss without a thought', '<|channel|>final<|message|>42', '42'],
  ['gpt-oss with JSON', '<|channel|>analysis<|message|>hm<|end|><|channel|>final <|constrain|>json<|message|>{}', '{}'],
  ['gpt-oss without its marks', 'analysisThe user asks for 6 · 7. It is 42.assistantfinal42', '42'],
  ['gpt-oss without its marks, in lines', 'analysisUser wants “6 · 7”.\n\nEasy.\nassistantfinal\n\n42', '42'],
  ['gpt-oss without its marks, quoting', 'analysis"6 · 7" is asked for.assistantcommentaryhm.assistantfinal42', '42'],
  ['gpt-oss without its marks, in Chinese', '\nanalysis用户问。assistantfinal四十二', '四十二'],
  ['blanks before it', '\n \n<think>hm</think>42', '42'],
  ['nothing in it', '<think>\n\n</think>\n\n42', '42'],
  ['one in the other', '<think>a <think> b</think>42', '42'],
  ['two of them', '<think>a</think>\n<think>b</think>\n42', '42'],
  ['a bracket in it', '<think>a < b, </thin, </</think>42', '42'],
  ['one that is never closed', '<think>I should say 42', ''],
  ['gpt-oss that never answers', '<|channel|>analysis<|message|>hm<|end|>', ''],
  ['letters that grow in small print', '<think>İİİİİİ</think>42', '42'],
];

const TEXTS: readonly (readonly [string, string])[] = [
  ['a tag in prose', 'The tag <think> opens a thought, </think> closes it.'],
  ['a tag in a code fence', '```xml\n<think>hm</think>\n```'],
  ['an end alone', 'Write </think> to end it.'],
  ['another tag', '<thinker>Rodin</thinker>'],
  ['the beginning of a tag', '<thin'],
  ['blanks before a text', '\n\n  42'],
  ['blanks alone', ' \n'],
  ['a bracket alone', '<'],
  ['a word that begins a thought without marks', 'analysis of tides: assistantfinal is a word of gpt-oss.'],
  ['that word with a colon', 'analysis: the tide.assistantfinal42'],
  ['that word in the genitive', 'analysis’s end.assistantfinal42'],
  ['that word in code', 'analysis = tides()\nanalysis.assistantfinal()'],
  ['that word in the name of a file', 'analysis.py holds assistantfinal'],
  ['that word as part of a name', 'analysisResult = 42\nassistantFinal = analysisResult'],
  ['that word under a heading', '# analysis\nassistantfinal'],
  ['the end of a thought without marks alone', 'assistantfinal42'],
  ['a thought without marks that is quoted', 'It wrote analysisHm.assistantfinal42'],
  ['a mark of the end in a plain text', '42<|return|>'],
];

describe.each([1, 2, 3, 7, 4_096])('in pieces of %d characters', (characters) => {
  it.each(SPELLINGS)('nothing is heard of a thought: %s', async (_, reply, answer) => {
    expect((await heard(inPieces(reply, characters))).text).toBe(answer);
  });

  it.each(TEXTS)('a text stays as it is: %s', async (_, reply) => {
    expect((await heard(inPieces(reply, characters))).text).toBe(reply);
  });

  it.each([
    ['a thought without its opening mark', 'Is it 41?\n</think>\n\n42', '42'],
    ['one with it all the same', '<think>Is it 41?</think>42', '42'],
    ['none at all', 'It is 42.', 'It is 42.'],
    ['an opening mark further on', 'The tag <think> opens one.', 'The tag <think> opens one.'],
  ])('a model whose template opens the thought: %s', async (_, reply, answer) => {
    expect((await heard(inPieces(reply, characters), { thoughtsUnopened: true })).text).toBe(answer);
  });
});

it('a text is passed on as it comes, also once a thought is over', async () => {
  expect((await heard(inPieces('<think>hm</think>abcdef', 2))).pieces.slice(-2)).toEqual(['de', 'f']);
  expect((await heard(inPieces('<p>abcdef', 2))).pieces).toEqual(['<p', '>a', 'bc', 'de', 'f']);
});

it('a text that only begins like the word of a thought is passed on as it comes', async () => {
  expect((await heard(inPieces('analysis of it', 2))).pieces).toEqual(['analysis o', 'f ', 'it']);
});

it('a thought without marks is over for good: what follows is passed on as it comes', async () => {
  const { pieces } = await heard(inPieces('analysisHm.assistantfinalanalysisX = 1', 4));
  expect(pieces.join('')).toBe('analysisX = 1');
  expect(pieces.length).toBeGreaterThan(1);
});

it('each piece of a thought is a sign of life', async () => {
  const { aliveCount } = await heard((listener) => {
    for (const piece of ['<think>', 'one ', 'two ', 'three']) void listener.text(piece);
  });
  expect(aliveCount).toBe(4);
});

it('where thoughts come apart from the text, none is waited for in the text', async () => {
  const { pieces } = await heard(
    (listener) => {
      listener.alive('thinks');
      inPieces('abcdef', 2)(listener);
    },
    { thoughtsUnopened: true },
  );
  expect(pieces).toEqual(['ab', 'cd', 'ef']);
  const apart = await heard((listener) => {
    listener.alive('thinks');
    inPieces('analysisX.assistantfinal', 12)(listener);
  });
  expect(apart.pieces).toEqual(['analysisX.as', 'sistantfinal']);
});

it('what is held back counts as held', () => {
  const listener = new RecordingListener();
  const spoken = new SpokenText({ thoughtsUnopened: true }, listener);
  inPieces('x'.repeat(1_000), 10)(spoken);
  spoken.pending(7);
  expect(listener.pendingMax).toBe(1_007);
});
