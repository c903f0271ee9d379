interface Errand {
  /** Beginning of the prompt; only this much of it is looked at. */
  readonly begins: RegExp;
  readonly holds: readonly string[];
  readonly ends?: string;
  /** Beginning of the user's message, which the UI writes too, where the prompt is the system message instead. */
  readonly messageBegins?: string;
}

function openWebUi(begins: RegExp, holds: string): Errand {
  return { begins, holds: [holds, '<chat_history>'], ends: '</chat_history>' };
}

/** The prompts as the UIs send them unless their operators write others. No words of a user make one by accident. */
const ERRANDS: readonly Errand[] = [
  // Open WebUI: title, tags, follow-ups (two versions), queries, image prompt, autocompletion, emoji, tools (two), summary.
  openWebUi(/^### Task:\s{1,4}Generate a concise[^\n]{0,120} title\b/, '### Output:'),
  openWebUi(/^### Task:\s{1,4}Generate 1-3 broad tags categorizing /, '"tags":'),
  openWebUi(/^### Task:\s{1,4}Suggest 3-5 relevant follow-up questions or prompts /, '"follow_ups":'),
  openWebUi(/^### Task:\s{1,4}Predict 3-5 useful messages this user might naturally send next /, '"follow_ups":'),
  openWebUi(
    /^### Task:\s{1,4}Analyze the chat history to determine the necessity of generating search queries\b/,
    '"queries":',
  ),
  openWebUi(/^### Task:\s{1,4}Generate a detailed prompt for a[mn] image generation task\b/, '"prompt":'),
  {
    begins: /^### Task:\s{1,4}You are an autocompletion system\. Continue the text in `<text>`/,
    holds: ['### **Output Rules**', '<chat_history>', '<type>'],
    ends: '#### Output:',
  },
  {
    begins: /^Your task is to reflect the speaker's likely facial expression through a fitting emoji\./,
    holds: ['\nMessage: ```'],
    ends: '```',
  },
  {
    begins: /^Available Tools: \[/,
    holds: [
      '\nYour task is to choose and return the correct tool(s) from the list of available tools',
      '"tool_calls":',
    ],
    ends: '}',
    messageBegins: 'Query: ',
  },
  {
    begins: /^Available Tools: \[/,
    holds: ['\nReturn an empty string if no tools match the query.', '"parameters":'],
    ends: 'without additional text.',
    messageBegins: 'Query: ',
  },
  {
    begins:
      /^### Task:\s{1,4}Summarize the conversation history that will be compacted out of the active chat context\./,
    holds: ['### Messages Being Compacted:', '### Recent Messages Kept In Context:'],
  },
  // LibreChat: titles, by version, with their language, and of an assistant's thread.
  {
    begins: /^Provide a concise, 5-word-or-less title for the conversation[,.]/,
    holds: ['nly return the title itself', '\nConversation:'],
  },
  {
    begins: /^Analyze this conversation and provide:\s{1,4}1\. The detected language of the conversation/,
    holds: ['A concise title in the detected language'],
  },
  {
    begins: /^Write a concise title for this conversation in the (?:detected|given) language\./,
    holds: ['Title in 5 Words or Less.', 'No Punctuation or Quotation.\n'],
  },
  {
    begins: /^Please generate a concise, 5-word-or-less title for the conversation, using its same language/,
    holds: ['||>'],
  },
  {
    begins: /^Please generate a concise title \(max 40 characters\) for a conversation that starts with:/,
    holds: ['User:', 'Title:'],
  },
];

const BEGINNING_CHARACTERS = 300;

/** True where a message, or the system message before it, is a chat UI's own, such as one for a title. Linear. */
export function isChatUiErrand(message: string, systemPrompt = ''): boolean {
  const asked = message.trim();
  const ordered = systemPrompt.trim();
  return ERRANDS.some((errand) =>
    errand.messageBegins === undefined
      ? hasShape(asked, errand)
      : asked.startsWith(errand.messageBegins) && hasShape(ordered, errand),
  );
}

function hasShape(text: string, { begins, holds, ends = '' }: Errand): boolean {
  const beginning = text.slice(0, BEGINNING_CHARACTERS);
  return begins.test(beginning) && text.endsWith(ends) && holds.every((part) => text.includes(part));
}
