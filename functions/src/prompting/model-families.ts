/** Models that share a name, and who makes them. */
export interface ModelFamily {
  /** What ids and display names of the family have among their words, in small letters, without their version. */
  readonly marks: readonly string[];
  /** What its models call themselves. */
  readonly names: readonly string[];
  /** What its maker is called. */
  readonly vendors: readonly string[];
}

/** The families that models name when they say who they are. */
const MODEL_FAMILIES: readonly ModelFamily[] = [
  { marks: ['gpt', 'chatgpt', 'openai', 'o1', 'o3', 'o4'], names: ['ChatGPT', 'GPT'], vendors: ['OpenAI'] },
  { marks: ['claude', 'anthropic'], names: ['Claude'], vendors: ['Anthropic'] },
  { marks: ['gemini'], names: ['Gemini', 'Bard'], vendors: ['Google DeepMind', 'Google AI', 'Google', 'DeepMind'] },
  { marks: ['gemma'], names: ['Gemma'], vendors: ['Google DeepMind', 'Google AI', 'Google', 'DeepMind'] },
  { marks: ['llama'], names: ['Llama', 'LLaMA', 'Meta AI'], vendors: ['Meta AI', 'Meta', 'Facebook'] },
  {
    marks: ['mistral', 'mixtral', 'magistral', 'ministral', 'codestral', 'mistralai'],
    names: ['Mistral', 'Mixtral', 'Magistral', 'Ministral', 'Codestral', 'Le Chat'],
    vendors: ['Mistral AI', 'Mistral'],
  },
  {
    marks: ['qwen', 'qwq', 'tongyi'],
    names: ['Qwen', 'QwQ', 'Tongyi Qianwen', '通义千问'],
    vendors: ['Alibaba Cloud', 'Alibaba', '阿里云', '阿里巴巴'],
  },
  { marks: ['deepseek'], names: ['DeepSeek', '深度求索'], vendors: ['DeepSeek', '深度求索'] },
  { marks: ['grok', 'xai'], names: ['Grok'], vendors: ['xAI'] },
  { marks: ['phi'], names: ['Phi'], vendors: ['Microsoft'] },
  {
    marks: ['command', 'cohere', 'aya'],
    names: ['Command R+', 'Command R', 'Command A', 'Command', 'Aya'],
    vendors: ['Cohere'],
  },
  { marks: ['nova', 'amazon'], names: ['Amazon Nova', 'Nova'], vendors: ['Amazon'] },
  { marks: ['kimi', 'moonshot', 'moonshotai'], names: ['Kimi'], vendors: ['Moonshot AI', '月之暗面'] },
  { marks: ['glm', 'chatglm'], names: ['ChatGLM', 'GLM', '智谱清言'], vendors: ['Zhipu AI', 'Z.ai', '智谱AI', '智谱'] },
  { marks: ['ernie'], names: ['ERNIE Bot', 'ERNIE', '文心一言'], vendors: ['Baidu', '百度'] },
  { marks: ['doubao', 'seed'], names: ['Doubao', '豆包'], vendors: ['ByteDance', '字节跳动'] },
  { marks: ['solar', 'upstage'], names: ['SOLAR'], vendors: ['Upstage'] },
  { marks: ['sonar', 'perplexity'], names: ['Sonar'], vendors: ['Perplexity AI', 'Perplexity'] },
];

/** The family that an id or a display name says, such as `openai/gpt-4o`, `Qwen3 30B` or `o3`; undefined for others. */
export function familyOfName(name: string): ModelFamily | undefined {
  const words = name.toLowerCase().match(/[a-z]+\d*/g) ?? [];
  const marks = new Set([...words, ...words.map((word) => word.replace(/\d+$/, ''))]);
  return MODEL_FAMILIES.find((family) => family.marks.some((mark) => marks.has(mark)));
}
