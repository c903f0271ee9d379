import { type App, startApp } from '../support/app';
import { during } from '../support/during';
import { startFakeUpstream } from '../support/fake-upstream';
import { serve } from '../support/serve';
import { JAVASCRIPT, outputOf, PYTHON, testIn } from './language-scripts';
import { ADVICE_MARK, ANSWER, ARBITER, PARTICIPANTS, replyAsProvider, type WireChat } from './tool-loop-upstream';

/** Agents as people write them with libraries for OpenAI, each working with three tools. */

/** The models that are asked, and the calls of participants at the beginning of a user's turn with each. */
const MODELS = { [ARBITER]: 0, ensemble: PARTICIPANTS.length };
/** Calls of the arbiter: two tools side by side, the third, the answer. */
const LOOP = 3;

/** Clients of the Responses protocol, and of Messages. */
const WIRES = ['openai_responses', 'anthropic_runner'];
const HANDOVERS = ['agents_sdk_handoff', 'agents_sdk_responses_handoff'];

const LANGUAGES = [
  { ...PYTHON, script: 'tool_loops', libraries: ['openai', 'langchain', 'langgraph', 'pydantic_ai', 'llm', ...WIRES] },
  {
    ...JAVASCRIPT,
    script: 'tool-loops',
    libraries: ['openai', 'ai_sdk', 'ai_sdk_compatible', 'langchain', 'langgraph', 'ai_sdk_responses', ...WIRES],
  },
];

interface Outcome {
  readonly client: string;
  readonly outcome: string;
  readonly arbiter: number;
  readonly advice: number;
  readonly leaked: boolean;
  readonly degraded: boolean;
}

/** The outcomes that there have to be, in the order of the clients' names. */
function expectedOf(libraries: readonly string[]): Outcome[] {
  const rows = Object.entries(MODELS).flatMap(([model, advice]) => {
    const loop = { outcome: ANSWER, arbiter: LOOP, advice, leaked: false, degraded: false };
    // Whoever takes over has other instructions and tools: it is advised anew, and the reply says so.
    const handover = { ...loop, arbiter: LOOP + 1, advice: 2 * advice, degraded: advice > 0 };
    const handovers = HANDOVERS.map((name) => ({ name, ...handover }));
    const expected = [...libraries.map((name) => ({ name, ...loop })), ...handovers];
    return expected.flatMap(({ name, ...row }) =>
      [name, `${name}_streamed`].map((client) => ({ client: `${client} of ${model}`, ...row })),
    );
  });
  return rows.toSorted(byClient);
}

function byClient(one: Outcome, other: Outcome): number {
  return one.client < other.client ? -1 : 1;
}

/** An address that passes requests on to the service, and keeps what was asked and answered. */
async function listenIn(app: App) {
  const heard: { asked: string; answered: string }[] = [];
  const { baseUrl } = await serve(async (req, res) => {
    const asked = Buffer.concat(await req.toArray()).toString('utf8');
    const headers = { authorization: req.headers.authorization ?? '', 'content-type': 'application/json' };
    const reply = await fetch(app.baseUrl + req.url, { method: 'POST', headers, body: asked });
    const answered = await reply.text();
    heard.push({ asked, answered });
    res.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(answered);
  });
  return { baseUrl, heard };
}

describe.each(LANGUAGES)('$variable', ({ script, libraries, ...language }) => {
  const upstream = during('all', () => startFakeUpstream(replyAsProvider));

  testIn(language)(
    'agents work with their tools, with one model and with an ensemble, which advises once',
    async () => {
      const env = {
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        DEFAULT_MODEL: ARBITER,
        DEFAULT_PANEL: PARTICIPANTS.join(','),
        RATE_LIMIT_RPM: '1000',
      };
      await using app = await startApp({ providers: {}, env });
      const { baseUrl, heard } = await listenIn(app);
      const place = { BASE_URL: `${baseUrl}/v1`, API_KEY: app.key, MODELS: Object.keys(MODELS).join(' ') };
      const ended = await outputOf<Record<string, string>>(language, script, place);

      const outcomes = Object.entries(ended).map(([client, outcome]): Outcome => {
        const mark = `Asked by ${client}.`;
        const bodies = upstream.requests.map(({ body }) => body).filter((body) => body.includes(mark));
        const models = bodies.map((body) => (JSON.parse(body) as WireChat).model);
        const answers = heard.filter(({ asked }) => asked.includes(mark)).map(({ answered }) => answered);
        return {
          client,
          outcome,
          arbiter: models.filter((model) => model === ARBITER).length,
          advice: models.filter((model) => model !== ARBITER).length,
          leaked: answers.some((answered) => answered.includes(ADVICE_MARK)),
          degraded: answers.some((answered) => answered.includes('"degraded"')),
        };
      });
      expect(outcomes.toSorted(byClient)).toEqual(expectedOf(libraries));
    },
    240_000,
  );
});
