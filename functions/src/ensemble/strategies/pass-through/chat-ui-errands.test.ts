import { isChatUiErrand } from './chat-ui-errands';

/** After the templates that the UIs ship with, shortened where nothing depends on it; histories filled in. */
const HISTORY = '### Chat History:\n<chat_history>\nUSER: Is a tomato a fruit?\nASSISTANT: Yes.\n</chat_history>';
const ERRANDS: readonly string[] = [
  `### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Guidelines:\n- Keep it simple.\n### Output:\nJSON format: { "title": "your concise title here" }\n### Examples:\n- { "title": "📉 Stock Market Trends" }\n${HISTORY}`,
  `### Task:\nGenerate a concise title summarizing the chat history.\n### Output:\nJSON format: { "title": "your concise title here" }\n${HISTORY}\n`,
  `### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific subtopic tags.\n\n### Output:\nJSON format: { "tags": ["tag1", "tag2", "tag3"] }\n\n${HISTORY}`,
  `### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this conversation as a **user**.\n### Output:\nJSON format: { "follow_ups": ["Question 1?", "Question 2?"] }\n${HISTORY}`,
  `### Task:\nPredict 3-5 useful messages this user might naturally send next to advance their current objective.\n### Guidelines:\n- Write from the user's point of view, directed to the assistant.\n### Output:\nJSON format: { "follow_ups": ["Suggested next message 1", "Suggested next message 2"] }\n${HISTORY}\n`,
  `### Task:\nAnalyze the chat history to determine the necessity of generating search queries, in the given language. By default, **prioritize generating 1-3 broad and relevant search queries** unless it is absolutely certain that no additional information is required.\n\n### Guidelines:\n- Today's date is: 2026-11-22.\n\n### Output:\nStrictly return in JSON format: \n{\n  "queries": ["query1", "query2"]\n}\n\n${HISTORY}\n`,
  `### Task:\nGenerate a detailed prompt for am image generation task based on the given language and context. Describe the image as if you were explaining it to someone who cannot see it.\n\n### Output:\nStrictly return in JSON format:\n{\n    "prompt": "Your detailed description here."\n}\n\n${HISTORY}`,
  '### Task:\nYou are an autocompletion system. Continue the text in `<text>` based on the **completion type** in `<type>` and the given language.  \n\n### **Instructions**:\n1. Analyze `<text>` for context and meaning.  \n\n### **Output Rules**:\n- Respond only in JSON format: `{ "text": "<your_completion>" }`.\n\n---\n### Context:\n<chat_history>\nUSER: Is a tomato a fruit?\n</chat_history>\n<type>search query</type>  \n<text>tomato fruit or</text>  \n#### Output:\n',
  "Your task is to reflect the speaker's likely facial expression through a fitting emoji. Interpret emotions from the message and reflect their facial expression using fitting, diverse emojis (e.g., 😊, 😢, 😡, 😱).\n\nMessage: ```Yes, a tomato is a fruit.```",
  '### Task:\nSummarize the conversation history that will be compacted out of the active chat context.\n\n### Instructions:\n- Preserve key decisions, user preferences, and constraints.\n\n### Previous Summary:\nNone\n\n### Messages Being Compacted:\n- user: Is a tomato a fruit?\n\n### Recent Messages Kept In Context:\n- assistant: Yes.',
  'Provide a concise, 5-word-or-less title for the conversation, using its same language, with no punctuation. Apply title case conventions appropriate for the language. Never directly mention the language name or the word "title" and only return the title itself.\n\nConversation:\nUser: Is a tomato a fruit?\nAI: Yes.',
  'Write a concise title for this conversation in the detected language. Title in 5 Words or Less. No Punctuation or Quotation.\nUser: Is a tomato a fruit?\nAI: Yes.',
  'Please generate a concise title (max 40 characters) for a conversation that starts with:\nUser: Is a tomato a fruit?\nAssistant: Yes.\n\nTitle:',
  'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: Is a tomato a fruit?\nAI: Yes.',
  'Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the detected language (5 words or less, no punctuation or quotation)\n\nUser: Is a tomato a fruit?\nAI: Yes.',
  'Please generate a concise, 5-word-or-less title for the conversation, using its same language, with no punctuation. Apply title case conventions appropriate for the language.\n\n||>User:\n"Is a tomato a fruit?"\n||>Response:\n"Yes."\n\n||>Title:',
];

/** Orders in the system message, before a message that the UI puts together as well. */
const ORDERS: readonly string[] = [
  'Available Tools: [{"name": "get_weather", "parameters": {}}]\n\nYour task is to choose and return the correct tool(s) from the list of available tools based on the query. Follow these guidelines:\n\n- Return only the JSON object, without any additional text or explanation.\n\nThe format for the JSON response is strictly:\n{\n  "tool_calls": [\n    {"name": "toolName1", "parameters": {"key1": "value1"}}\n  ]\n}',
  'Available Tools: [{"name": "get_weather", "parameters": {}}]\nReturn an empty string if no tools match the query. If a function tool matches, construct and return a JSON object in the format {"name": "functionName", "parameters": {"requiredFunctionParamKey": "requiredFunctionParamValue"}} using the appropriate tool and its parameters. Only return the object and limit the response to the JSON object without additional text.',
];
const TOOL_QUERY = 'Query: History:\nUSER: """Hello"""\nQuery: What is the weather in Bonn?';

it.each(ERRANDS)('%.100j is an errand, and no message that only speaks of it is', (prompt) => {
  expect(isChatUiErrand(prompt)).toBe(true);
  expect(isChatUiErrand(`What does this prompt do?\n\n${prompt}`)).toBe(false);
  expect(isChatUiErrand(prompt.slice(0, 80))).toBe(false);
  expect(isChatUiErrand('Is a tomato a fruit?', prompt)).toBe(false);
});

it.each(ORDERS)('%.100j is an errand as the system message', (systemPrompt) => {
  expect(isChatUiErrand(TOOL_QUERY, systemPrompt)).toBe(true);
  expect(isChatUiErrand('What is the weather in Bonn?', systemPrompt)).toBe(false);
  expect(isChatUiErrand(TOOL_QUERY, `You help in a shop.\n\n${systemPrompt}`)).toBe(false);
  expect(isChatUiErrand(systemPrompt)).toBe(false);
  expect(isChatUiErrand(TOOL_QUERY)).toBe(false);
});

it.each([
  'You are an autocompletion system. Continue the text in `<text>`: why is that a bad prompt?',
  "Your task is to reflect the speaker's likely facial expression through a fitting emoji. Is that a good prompt?",
  'Analyze the chat history to determine the necessity of generating search queries, then answer me.',
  'Generate a detailed prompt for an image generation task: a cat on a roof, in JSON with "prompt":',
  'Write a concise title for this conversation in the detected language.',
  'Query: which title, tags, emoji and search queries suit a shop for tomatoes?',
  'Generate a concise, 3-5 word title for my essay on tomatoes.',
  '### Task:\nSummarize the conversation history that will be compacted out of this report.',
  'Suggest 3-5 relevant follow-up questions or prompts for my interview.',
  'Predict 3-5 useful messages this user might naturally send next to our shop.',
  '### Task:\nGenerate a concise title for this report and explain your choice.\n### Output:\nA title.',
  `${ERRANDS[0]}\nAnd explain why.`,
  'Provide a concise, 5-word-or-less title for the conversation, please.',
  '',
])('%.100j is no errand', (message) => expect(isChatUiErrand(message)).toBe(false));
