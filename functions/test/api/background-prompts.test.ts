import { isChatUiErrand } from '../../src/ensemble/strategies/pass-through/chat-ui-errands';
import { sharedApp } from '../support/app';
import { readStream } from '../support/wire';

/**
 * Requests that agents and chat UIs make in the background: no list has these prompts, and on demand no panel works on them
 * where the arbiter says in its first line that none is needed. The beginnings are those of the programs.
 */

interface Prompt {
  readonly of: string;
  readonly system?: string;
  readonly message: string;
  /** Plausible replies of two models. */
  readonly replies: readonly [string, string];
}

const PROMPTS: readonly Prompt[] = [
  {
    of: 'opencode, a title',
    system:
      'You are a title generator. You output ONLY a thread title. Nothing else.\n\n<task>\nGenerate a brief title that would help the user find this conversation later.\n\nFollow all rules in <rules>\nUse the <examples> so you know what a good title looks like.\nYour output must be:\n- A single line\n- ≤50 characters\n- No explanations\n</task>',
    message: 'Generate a title for this conversation:\nwhy is app.js failing',
    replies: ['Analyzing app.js failure', 'Debugging app.js crash'],
  },
  {
    of: 'opencode, a title of a greeting',
    system: 'You are a title generator. You output ONLY a thread title. Nothing else.',
    message: 'Generate a title for this conversation:\nhello',
    replies: ['Quick check-in', 'Greeting'],
  },
  {
    of: 'opencode, a summary',
    system:
      'Summarize what was done in this conversation. Write like a pull request description.\n\nRules:\n- 2-3 sentences max\n- Describe the changes made, not the process\n- Do not mention running tests, builds, or other validation steps\n- Do not explain what the user asked for\n- Write in first person (I added..., I fixed...)',
    message: 'Write the summary.',
    replies: ['I fixed the import of app.js.', 'I corrected a wrong path in app.js.'],
  },
  {
    of: 'opencode, a compaction',
    message:
      "Provide a detailed prompt for continuing our conversation above.\nFocus on information that would be helpful for continuing the conversation, including what we did, what we're doing, which files we're working on, and what we're going to do next.\nThe summary that you construct will be used so that another agent can read it and continue the work.\n\nWhen constructing the summary, try to stick to this template:\n---\n## Goal\n\n[What goal(s) is the user trying to accomplish?]",
    replies: ['## Goal\n\nStart app.js again.', '## Goal\n\nFind out why app.js fails.'],
  },
  {
    of: 'Cline, a commit message',
    system:
      'You are a helpful assistant that generates informative git commit messages based on git diffs output. Skip preamble and remove all backticks surrounding the commit message.',
    message:
      'Based on the provided git diff, generate a concise and descriptive commit message.\n\nThe commit message should:\n1. Has a short title (50-72 characters)\n2. The commit message should adhere to the conventional commit format\n\n- const a = 1\n+ const a = 2',
    replies: ['fix: set a to 2', 'fix(app): a is 2'],
  },
  {
    of: 'Cline, a summary of the task',
    message:
      '<explicit_instructions type="summarize_task">\nThe current conversation is rapidly running out of context. Now, your urgent task is to create a detailed, comprehensive summary of the conversation so far, paying close attention to the user\'s explicit requests and your previous actions.\nThis summary should be thorough in capturing technical details, code patterns, and architectural decisions that would be essential for continuing development work without losing context. You MUST ONLY respond to this message by using the summarize_task tool call.',
    replies: [
      '<summarize_task>\n<context>\n1. Primary Request and Intent:\n   Fix app.js\n</context>\n</summarize_task>',
      '<summarize_task>\n<context>\n1. Primary Request and Intent:\n   Make app.js start\n</context>\n</summarize_task>',
    ],
  },
  {
    of: 'Continue, a title',
    message:
      "Given the following... please reply with a short summary that is 4-12 words in length, you should summarize what the user is asking for OR what the user is trying to accomplish. You should only respond with the summary, no additional text or explanation, you don't need ending punctuation.\n\nWhy is app.js failing?",
    replies: ['Find out why app.js is failing', 'Debug a failing app.js'],
  },
  {
    of: 'Continue, a compaction',
    message:
      'Create a comprehensive summary of this conversation that captures all essential information needed to continue the work seamlessly. Structure your response to preserve technical accuracy and context continuity.\n\nYour summary should include:\n\n1. **Conversation Overview**: Describe the main topic and progression of the discussion, including any shifts in focus or direction.',
    replies: ['1. **Conversation Overview**: app.js fails.', '1. **Conversation Overview**: The user debugs app.js.'],
  },
  {
    of: 'Open WebUI, tags by a prompt of its operator',
    message:
      '### Task:\nGenerate three tags for the conversation below.\n\n### Output:\nJSON format: { "tags": ["tag1", "tag2", "tag3"] }\n\n### Chat History:\n<chat_history>\nUSER: Is a tomato a fruit?\n</chat_history>',
    replies: ['{"tags": ["Food"]}', '{"tags": ["Botany", "Food"]}'],
  },
  {
    of: 'Open WebUI, a title by a prompt of its operator',
    message:
      '### Task:\nWrite a concise, 3-5 word title for this chat.\n### Output:\nJSON format: { "title": "your concise title here" }\n### Chat History:\n<chat_history>\nUSER: Is a tomato a fruit?\n</chat_history>',
    replies: ['{ "title": "Tomato Trivia" }', '{ "title": "Fruit or Vegetable" }'],
  },
];

describe('a background prompt', () => {
  const app = sharedApp();

  it.each(PROMPTS)('of $of is answered by one draft, in a stream before the other is there', async (prompt) => {
    const { system, message, replies } = prompt;
    expect(isChatUiErrand(message, system)).toBe(false);
    app.models.play(({ prompt: { turns }, purpose }) => {
      if (purpose !== 'draft') return { text: 'The panel.' };
      return turns.at(-1)?.text.includes('"PANEL: no"')
        ? { text: `PANEL: no\n${replies[0]}` }
        : { text: replies[1], delayMs: 1_000_000 };
    });
    const messages = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: message }];
    // Time stands still: whoever waited for the other would never end.
    const { content } = await readStream(await app.chat({ model: 'ensemble-auto', stream: true, messages }));
    expect(content).toBe(replies[0]);
    expect(app.models.calls.map(({ purpose }) => purpose)).toEqual(['draft', 'draft']);
    expect(app.models.calls[0]?.prompt.turns.at(-1)?.text.startsWith(message)).toBe(true);
  });
});
