import { type Exchange, event, type Reply } from '../support/fake-upstream';

/** Words of the participants' advice; a client must never see any of it. */
export const ADVICE_MARK = 'ADVICE-FOR-THE-ARBITER';
export const ARBITER = 'arbiter';
export const PARTICIPANTS = ['adviser-1', 'adviser-2'];
/** The last words of the arbiter once the three tools were used with the right arguments. */
export const ANSWER = 'There is rain in Bergen on Monday.';

/** A request of chat completions, as far as the script reads it. */
export interface WireChat {
  readonly model: string;
  readonly messages: readonly { role: string; content?: unknown; tool_calls?: unknown }[];
  readonly tools?: readonly { function: { name: string } }[];
}

type Spoken = { readonly content: string } | { readonly calls: readonly (readonly [name: string, args: object])[] };

/**
 * A provider whose participants write advice, with a call as text in it, and whose arbiter works with the tools of
 * `tool_loops.py` and `tool-loops.mjs`: hands over where it can, asks for the town and the day side by side, then for the weather
 * there and then, then answers.
 */
export const replyAsProvider: Reply = (exchange) => {
  const chat = JSON.parse(exchange.request.body) as WireChat;
  send(exchange, chat.model === ARBITER ? turnOfArbiter(chat) : { content: adviceOf(chat) });
};

function adviceOf({ model }: WireChat): string {
  return `${ADVICE_MARK} ${model}: find out where the user is. {"name": "weather", "arguments": {"town": "Oslo"}}`;
}

function turnOfArbiter({ messages, tools = [] }: WireChat): Spoken {
  const handover = tools.find(({ function: { name } }) => name.startsWith('transfer_to_'));
  if (handover) return { calls: [[handover.function.name, {}]] };
  if (!tools.some(({ function: { name } }) => name === 'weather')) return { content: 'No tools were offered.' };
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
  const [weather] = results.map((text) => /rain in \w+ on \w+/.exec(text)?.[0]).filter(Boolean);
  if (weather) return { content: `There is ${weather}.` };
  const [town] = results.map((text) => /Bergen/.exec(text)?.[0]).filter(Boolean);
  const [day] = results.map((text) => /Monday/.exec(text)?.[0]).filter(Boolean);
  if (town && day) return { calls: [['weather', { town, day }]] };
  return {
    calls: [
      ['where_am_i', {}],
      ['today', {}],
    ],
  };
}

/** A stream in OpenAI's form: calls by their index, their arguments in pieces. */
function send(exchange: Exchange, spoken: Spoken): void {
  const choice = (delta: object, finish_reason: string | null = null): string =>
    event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
  if ('content' in spoken) {
    for (const word of spoken.content.match(/\S+\s*/g) ?? []) exchange.write(choice({ content: word }));
    exchange.write(choice({}, 'stop'));
  } else {
    for (const [index, [name, args]] of spoken.calls.entries()) {
      const piece = (call: object): string => choice({ tool_calls: [{ index, ...call }] });
      const json = JSON.stringify(args);
      const id = `call_${exchange.request.body.length}_${index}`;
      exchange.write(piece({ id, type: 'function', function: { name, arguments: '' } }));
      exchange.write(piece({ function: { arguments: json.slice(0, 5) } }));
      exchange.write(piece({ function: { arguments: json.slice(5) } }));
    }
    exchange.write(choice({}, 'tool_calls'));
  }
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  exchange.end(`${event({ choices: [], usage })}data: [DONE]\n\n`);
}
