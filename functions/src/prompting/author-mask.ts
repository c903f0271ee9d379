import { lazy } from '../lib/lazy';
import { Lru } from '../lib/lru';
import { codeSpans } from './code-spans';
import { TEXTS_OF_A_ROUND_MAX } from './fence';

/** Models that share a name: the names they give themselves, their makers, other words of their ids without a version. */
const FAMILIES = [
  family('ChatGPT, GPT', 'OpenAI', 'openai, o1, o3, o4'),
  family('Claude', 'Anthropic', 'anthropic'),
  family('Gemini, Bard', 'Google DeepMind, Google AI, Google, DeepMind'),
  family('Gemma', 'Google DeepMind, Google AI, Google, DeepMind'),
  family('Llama, Meta AI', 'Meta AI, Meta, Facebook'),
  family('Mistral, Mixtral, Magistral, Ministral, Codestral, Le Chat', 'Mistral AI, Mistral', 'mistralai'),
  family('Qwen, QwQ, Tongyi Qianwen, 通义千问', 'Alibaba Cloud, Alibaba, 阿里云, 阿里巴巴', 'tongyi'),
  family('DeepSeek, 深度求索', 'DeepSeek, 深度求索'),
  family('Grok', 'xAI', 'xai'),
  family('Phi', 'Microsoft'),
  family('Command R+, Command R, Command A, Command, Aya', 'Cohere', 'cohere'),
  family('Amazon Nova, Nova', 'Amazon', 'amazon'),
  family('Kimi', 'Moonshot AI, 月之暗面', 'moonshot, moonshotai'),
  family('ChatGLM, GLM, 智谱清言', 'Zhipu AI, Z.ai, 智谱AI, 智谱'),
  family('ERNIE Bot, ERNIE, 文心一言', 'Baidu, 百度'),
  family('Doubao, 豆包', 'ByteDance, 字节跳动', 'seed'),
  family('SOLAR', 'Upstage', 'upstage'),
  family('Sonar', 'Perplexity AI, Perplexity', 'perplexity'),
];

// Sources of patterns. Each repetition has a limit, so that every place of a text is read in constant time.
/** Latin letters; classes of Unicode properties take twenty times as long to build. */
const LATIN = 'a-z\\u00c0-\\u024f';
const NO_WORD_BEHIND = `(?![\\w${LATIN}])`;
const END_OF_NAME = `${NO_WORD_BEHIND}(?!-[\\w${LATIN}])`;
const SIZE =
  '(?:opus|sonnet|haiku|fable|instant|pro|flash|lite|ultra|nano|mini|turbo|large|medium|small|instruct|chat|preview|plus|max|coder|scout|maverick)';
/** A version or a size behind a family's name: `-4o-mini`, ` 3.5 Sonnet`. */
const VERSION = `(?:[ -]?[vr]?\\d[\\w.${LATIN}]{0,12}(?<!\\.)|[ -]${SIZE}${NO_WORD_BEHIND}){0,5}`;
const OPENING_MARKS = '[*_"“‘(]{0,3}';
const REPLY =
  '(?:this|the above|my)(?: (?:answer|text|reply|response|draft|essay|review|solution|version))?(?: (?:was|is|has been))?';
const MADE = '(?:made|created|developed|trained|built|designed|provided|hosted|produced)';
/** At most five words, none of which leads elsewhere. */
const FEW = '(?: (?!(?:of|with|for|about|using|like|fan|and|who) )[^\\s.,;:!?()]{1,30}){0,5}?';
/** A name already hidden, which its maker may follow. */
const HIDDEN = '\\[a model\\],?';

/** Before the name of a model that a text calls its author. */
const SAYS = after(
  "I(?: am|['’]m)(?: (?:actually|called|named|the model|the assistant))? ",
  '(?:my name is|I,) ',
  "I(?: am|['’]m) an? [^.,;:!?()]{0,40}(?:named|called) ",
  `(?:(?<=^[>*_(\\[—–\\s-]{0,6})|${REPLY} ${OPENING_MARKS})(?:written|drafted|authored|answered|composed|generated) by `,
);
const AS = after('as ');
const SHOWS = after('this is ', 'it is me, ', "it['’]s me, ");
const SIGNS = after(
  '(?:regards|best(?: wishes)?|sincerely|yours(?: truly| faithfully)?|cheers)[,.!]?\\s{1,4}[—–-]?\\s?',
  '(?<=(?:^|[.!?…)\\]"”。！？*]\\s{0,4}))[*_(]{0,3}(?:[—–―~]|--)\\s{0,2}',
  '(?<=[.!?…]\\s{0,2}\\n\\s{0,2})-\\s{0,2}',
);
const MADE_BY = after(
  `I(?: was|['’]m| am|['’]ve been| have been) ${MADE} by `,
  `(?:I am|I['’]m|as|${HIDDEN}) (?:an?|the)${FEW} (?:model|assistant|AI|chatbot|LLM)${FEW},?(?: that was| which was)? (?:${MADE} (?:by|at)|by|from) `,
  `${HIDDEN} (?:\\(|(?:${MADE} )?(?:by|from|at) )`,
  'my (?:creators?|makers?|developers?)(?:,| is| are| at) ',
);

/** Behind a name that does not go on, and is no part of a topic: not "I am Claude Monet", "this is GPT-4o output". */
const WORD_BEHIND = '(?:and|an?|the|from|by|made|created|developed|trained|built|here|speaking|writing|but|or|I)';
const SAID = `${END_OF_NAME}(?!\\.\\d)(?=[*_"”’)]{0,3}(?:\\s{0,3}(?:$|[.,;:!?()\\[\\]"”—–…])| - |\\s{1,3}${WORD_BEHIND}${NO_WORD_BEHIND}))`;
const SPEAKS = `(?=[*_"”]{0,3},?\\s{1,3}(?:I|I['’](?:m|d|ll|ve)|my)${NO_WORD_BEHIND})`;
const TEXT_ENDS = `${END_OF_NAME}(?=(?:\\s?[,(][^\\n]{0,80})?[*_.!)"”\\s]{0,8}(?![^]))`;
/** A common word, which may be the topic: "this is solar". Not part of a pattern: V8 at times gets `(?-i:…)` wrong. */
const COMMON_WORD = /^[a-z]+$/;

/**
 * A function that hides who wrote a text where the text itself says so in English: "I am X", "written by X", a signature,
 * "I was made by Y". `names` are the names and ids of a panel's models; their families and makers are hidden alike. Code,
 * other mentions, and each name, family or maker that the user's texts speak of stay as they are.
 */
export function authorMask(names: readonly string[], userTexts: readonly string[]): (text: string) => string {
  const hidden = lazy(() => hiddenNames([...new Set(names)], userTexts));
  const hideAll = (text: string): string => {
    const read = text.toLowerCase();
    return hidden().words.some((word) => read.includes(word)) ? hidden().patterns().reduce(hide, text) : text;
  };
  // Every reader of a round is shown the same texts.
  const masked = new Lru<string, string>(TEXTS_OF_A_ROUND_MAX);
  return (text) => {
    const known = masked.get(text) ?? hideAll(text);
    masked.set(text, known);
    return known;
  };
}

/** Hides what a pattern matches outside code, which is looked for when something has matched: that is rare. */
function hide(text: string, { pattern, standIn, spared }: Hiding): string {
  const code = lazy(() => codeSpans(text));
  let next = 0;
  return text.replace(pattern, (name, at: number) => {
    while ((code()[next]?.end ?? text.length) <= at) next += 1;
    return (code()[next]?.start ?? text.length) <= at || spared?.test(name) ? name : standIn;
  });
}

type Hiding = { readonly pattern: RegExp; readonly standIn: string; readonly spared?: RegExp };

/** The names to hide: a family that the user speaks of is left alone with all its models, any other name by itself. */
function hiddenNames(names: readonly string[], userTexts: readonly string[]) {
  const isTopic = (name: string): boolean => {
    const mention = new RegExp(`(?<![${LATIN}])${RegExp.escape(name)}s?(?![${LATIN}])`, 'iu');
    return userTexts.some((text) => mention.test(text));
  };
  const families = Map.groupBy(names, familyOf);
  const left = [...families].filter(([family]) => !family?.names.some(isTopic));
  const own = left.flatMap(([, ids]) => ids).filter((name) => name.length > 1 && !isTopic(name));
  const shared = left.flatMap(([family]) => family?.names ?? []);
  const makers = [...families.keys()].flatMap((family) => family?.makers ?? []).filter((maker) => !isTopic(maker));
  const words = [...own, ...shared, ...makers].map((name) => name.toLowerCase());
  return { words, patterns: lazy(() => patternsOf(own, shared, makers)) };
}

/** The family that an id or a display name says, such as `openai/gpt-4o`, `Qwen3 30B` or `o3`; undefined for others. */
function familyOf(name: string) {
  const words = (name.toLowerCase().match(/[a-z]+\d*/g) ?? []).flatMap((word) => [word, word.replace(/\d+$/, '')]);
  return FAMILIES.find((family) => family.words.some((word) => words.includes(word)));
}

/** Patterns look for a name first, and are built when a text first has one. */
function patternsOf(own: string[], shared: string[], makers: string[]): readonly Hiding[] {
  const model = `(?:${oneOf(own)}|${oneOf(shared)}${VERSION})`;
  const said = `${SAYS}${model}${SAID}|${AS}${model}${SPEAKS}|${SIGNS}${model}${TEXT_ENDS}`;
  const maker = `(?=${oneOf(makers)})${MADE_BY}${oneOf(makers)}${END_OF_NAME}`;
  return [
    { pattern: new RegExp(`(?=${model})(?:${said})`, 'gimu'), standIn: '[a model]' },
    { pattern: new RegExp(`(?=${model})${SHOWS}${model}${SAID}`, 'gimu'), standIn: '[a model]', spared: COMMON_WORD },
    { pattern: new RegExp(maker, 'gimu'), standIn: '[a company]' },
  ];
}

/** A pattern of names, the longest first; without any it matches nothing. */
function oneOf(names: readonly string[]): string {
  const sources = names.toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  return `(?:${sources.join('|') || '(?!)'})`;
}

/** A pattern of the place behind one of some phrases, in which a blank is any white space. */
function after(...phrases: readonly string[]): string {
  return `(?<=(?<![\\w${LATIN}])(?:${phrases.join('|').replaceAll(' ', '\\s{1,3}')})${OPENING_MARKS})`;
}

function family(names: string, makers: string, idWords = '') {
  const words = `${names}, ${idWords}`.toLowerCase().split(', ');
  return { names: names.split(', '), makers: makers.split(', '), words };
}
