import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { getLlama, LlamaChatSession } from 'node-llama-cpp';

/** The model was trained with a window of this size. */
export const CONTEXT_TOKENS = 8192;
const TEMPERATURE = 0.6;

/**
 * Serves the model in the shape of OpenAI's streamed chat completions; what it said is handed to `heard`. Its replies end
 * at `outputTokensMax`: a weak model that has lost its way repeats itself for ever.
 */
export async function serveModel(modelPath, { heard, outputTokensMax }) {
  // One thread: several wait for each other in a busy loop, which on a busy machine takes for ever.
  const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, logLevel: 'error', maxThreads: 1 });
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({ contextSize: CONTEXT_TOKENS });
  // One call after another: what a prompt has in common with the one before it is not read again, and reading is the
  // larger part of the work.
  const sequence = context.getSequence();
  let last = Promise.resolve();

  function inTurn(work) {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  }

  async function answer(request, response) {
    const { model: id, messages, temperature = TEMPERATURE } = await json(request);
    const left = new AbortController();
    response.once('close', () => left.abort());
    const promptTokens = model.tokenize(messages.map(({ content }) => content).join('\n')).length;
    if (promptTokens > CONTEXT_TOKENS - outputTokensMax) return tooLong(response, promptTokens);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const say = (delta, more = {}) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`);
    let completionTokens = 0;
    const text = await inTurn(async () => {
      if (left.signal.aborted) return '';
      const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: '', autoDisposeSequence: false });
      session.setChatHistory(messages.slice(0, -1).map(asHistory));
      return session.prompt(messages.at(-1).content, {
        temperature,
        // Four seats of a panel are one model here; they are to differ, and a run is to be repeatable.
        seed: crc32(`${id} ${promptTokens}`),
        maxTokens: outputTokensMax,
        signal: left.signal,
        stopOnAbortSignal: true,
        onToken: (tokens) => {
          completionTokens += tokens.length;
        },
        onTextChunk: (content) => say({ content }),
      });
    });
    heard({ model: id, prompt: messages.at(-1).content, reply: text });
    say({}, { finish_reason: 'stop' });
    const usage = { prompt_tokens: promptTokens, completion_tokens: completionTokens };
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

function asHistory({ role, content }) {
  if (role === 'assistant') return { type: 'model', response: [content] };
  return { type: role === 'system' ? 'system' : 'user', text: content };
}

function tooLong(response, tokens) {
  const message = `This model's maximum context length is ${CONTEXT_TOKENS} tokens. However, your messages resulted in ${tokens} tokens.`;
  const error = { message, type: 'invalid_request_error', code: 'context_length_exceeded' };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
