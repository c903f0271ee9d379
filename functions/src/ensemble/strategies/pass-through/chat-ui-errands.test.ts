import { isChatUiErrand } from './chat-ui-errands';

/** After the templates that the UIs ship with, shortened where nothing depends on it; histories filled in. */
const HISTORY = '### Chat History:\n<chat_history>\nUSER: Is a tomato a fruit?\nASSISTANT: Yes.\n</chat_history>';
const ERRANDS: readonly (readonly [of: string, prompt: string])[] = [
  [
    'a title of Open WebUI',
    `### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Guidelines:\n- Keep it simple.\n### Output:\nJSON format: { "title": "your concise title here" }\n### Examples:\n- { "title": "📉 Stock Market Trends" }\n${HISTORY}`,
  ],
  [
    'a title of a newer Open WebUI',
    `### Task:\nGenerate a concise title summarizing the chat history.\n### Output:\nJSON format: { "title": "your concise title here" }\n${HISTORY}\n`,
  ],
  [
    'tags of Open WebUI',
    `### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific subtopic tags.\n\n### Output:\nJSON format: { "tags": ["tag1", "tag2", "tag3"] }\n\n${HISTORY}`,
  ],
  [
    'follow-ups of Open WebUI',
    `### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this conversation as a **user**.\n### Output:\nJSON format: { "follow_ups": ["Question 1?", "Question 2?"] }\n${HISTORY}`,
  ],
  [
    'a title of LibreChat',
    'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: Is a tomato a fruit?\nAI: Yes.',
  ],
  [
    'a title of LibreChat with its language',
    'Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the detected language (5 words or less, no punctuation or quotation)\n\nUser: Is a tomato a fruit?\nAI: Yes.',
  ],
  [
    'a title of an older LibreChat',
    'Please generate a concise, 5-word-or-less title for the conversation, using its same language, with no punctuation. Apply title case conventions appropriate for the language.\n\n||>User:\n"Is a tomato a fruit?"\n||>Response:\n"Yes."\n\n||>Title:',
  ],
];

describe('isChatUiErrand', () => {
  it.each(ERRANDS)('knows %s', (_, prompt) => {
    expect(isChatUiErrand(prompt)).toBe(true);
  });

  it.each(ERRANDS)('does not take for %s a message that only speaks of it', (_, prompt) => {
    expect(isChatUiErrand(`What does this prompt do?\n\n${prompt}`)).toBe(false);
    expect(isChatUiErrand(prompt.slice(0, 80))).toBe(false);
  });

  it('is not taken in by what people ask for', () => {
    for (const message of [
      'Generate a concise, 3-5 word title for my essay on tomatoes.',
      'Suggest 3-5 relevant follow-up questions or prompts for my interview.',
      '### Task:\nGenerate a concise title for this report and explain your choice.\n### Output:\nA title.',
      `${ERRANDS[0]?.[1]}\nAnd explain why.`,
      'Provide a concise, 5-word-or-less title for the conversation, please.',
      '',
    ]) {
      expect(isChatUiErrand(message)).toBe(false);
    }
  });
});
