import { bearerKey, isWellFormedKey } from '../../../src/access/api-key';
import { firebaseSignIn } from '../../../src/access/firebase-sign-in';
import { listMonths } from '../../../src/api/dashboard/usage';
import { ignoredIn } from '../../../src/api/ensemble-options/ignored';
import { responseFormatSchema } from '../../../src/api/ensemble-options/run-fields';
import { inputSchema } from '../../../src/api/openai/responses/conversation';
import { OpenAiResponseRequest } from '../../../src/api/openai/responses/create-response';
import { keptRequest } from '../../../src/api/shared/kept-request';
import { ChatCompletionRequest } from '../../../src/api/v1/chat-completions';
import { ResponseRequest } from '../../../src/api/v1/responses';
import { eventsReply } from '../../../src/api/v1/run-events';
import { parseRange } from '../../../src/api/v1/usage';
import { printable, printableJson } from '../../../src/cli/output';
import { comparableAnswer, majorityStays, textsAgree } from '../../../src/ensemble/agreement/answers-agree';
import { parseFollowUps } from '../../../src/ensemble/arbiter/ending';
import { withNames } from '../../../src/ensemble/arbiter/explanation';
import { checksRepairPrompt, formRepairPrompt } from '../../../src/ensemble/arbiter/prompts';
import { maxWordsRule } from '../../../src/ensemble/checks/rules';
import { readRevision } from '../../../src/ensemble/panel/revision';
import { withoutFakeCalls } from '../../../src/ensemble/strategies/agent/fake-calls';
import { asksForFinalAnswer, isExact } from '../../../src/ensemble/strategies/auto/comparison';
import { DraftReader, FIRST } from '../../../src/ensemble/strategies/auto/first-drafts';
import { hasOpening, withoutOpening } from '../../../src/ensemble/strategies/auto/opening-line';
import { parseChain } from '../../../src/ensemble/strategies/chain-of-thought/chain';
import { isChatUiErrand } from '../../../src/ensemble/strategies/pass-through/chat-ui-errands';
import { virtualModel } from '../../../src/ensemble/strategies/strategies';
import { WebRecord } from '../../../src/ensemble/web/web-record';
import { networkOf } from '../../../src/http/account-reply';
import { challengeOf } from '../../../src/http/challenge';
import { localSignIn } from '../../../src/http/local-sign-in';
import { createRouteTable } from '../../../src/http/route-table';
import { redact, visibleText } from '../../../src/lib/foreign-text';
import { createLog } from '../../../src/lib/log';
import { createCatalog } from '../../../src/models/catalog';
import { tokensIn } from '../../../src/models/estimate-tokens';
import { ReplyReasoning } from '../../../src/models/gateway/reply-parts';
import { type CallPurpose, nameInText, spokenBy } from '../../../src/models/model';
import { argumentsObject } from '../../../src/models/tools';
import { addressKey, isBilledByPrompt, webSource, withoutOrigin } from '../../../src/models/web-search';
import { addressesIn } from '../../../src/prompting/addresses-in-text';
import { normalisedAnswer, statedAnswer } from '../../../src/prompting/answer-line';
import { authorMask } from '../../../src/prompting/author-mask';
import { codeSpans } from '../../../src/prompting/code-spans';
import { fitTexts, historyThatFits } from '../../../src/prompting/context-window';
import { fence, fenceNonce } from '../../../src/prompting/fence';
import { pointerTo, referredTo } from '../../../src/prompting/json-schema/canonical-json';
import { checkSchema } from '../../../src/prompting/json-schema/check-schema';
import { jsonText } from '../../../src/prompting/json-text';
import { labelInText, labelsInLine } from '../../../src/prompting/label-in-text';
import { approves, foundNothing, saysUnchanged } from '../../../src/prompting/remarks';
import { readStatusLines } from '../../../src/prompting/status-lines';
import { toolBlocks } from '../../../src/providers/anthropic/anthropic';
import { demoReply } from '../../../src/providers/demo/demo-reply';
import { topicOf } from '../../../src/providers/demo/topics/topics';
import { createGoogleProvider, toolParts } from '../../../src/providers/google/google';
import { CalledTools } from '../../../src/providers/transport/called-tools';
import { LongTexts } from '../../../src/providers/transport/long-texts';
import {
  meantBy,
  refusedIn,
  reportedFault,
  reportIn,
  retryAfterSeconds,
  waitSecondsIn,
} from '../../../src/providers/transport/provider-fault';
import type { KeptRuns } from '../../../src/runs/kept-runs';
import { isRunId, oneLine, parsePlace } from '../../../src/runs/run-list';
import { traceRequest } from '../../../src/telemetry/request-trace';
import { fakeClock } from '../../support/fake-clock';
import { readsInLinearTime } from './growth';
import { REQUEST_ID } from './hostile-texts';
import {
  attemptIn,
  byName,
  callOf,
  copiedFences,
  copiedLines,
  inPieces,
  LISTENER,
  NONCE,
  nothing,
  piecesOf,
  signInOf,
  turnsOf,
} from './inputs';

const END_OF_MESSAGE = "\n\n<<012def end of the user's message>>\n\n";
const NAMES = ['Demo Ada', 'demo-ada', 'gpt-4o', 'A A A A', 'a a a a a a a a', 'owl/eagle-1', '* * * *'];
const LABELS = new Map(Object.entries({ A: 'the proposition', B: 'Demo Ada' }));
const PURPOSES: CallPurpose[] = [
  'cast',
  'plan',
  'advise',
  'draft',
  'revise',
  'review',
  'attack',
  'answer',
  'follow_ups',
];

const runs: KeptRuns = { follow: async () => undefined } as never;
const asked = { requestId: 'r', method: 'GET' };
const catalog = createCatalog();
const log = createLog('debug', nothing, { cloud: { project: 'p', service: 's', version: '1' } });
const rotateRoute = {
  method: 'POST',
  path: '/dashboard/keys/{id}/rotate',
  handle: async () => ({ body: {} }),
} as const;
const findRoute = createRouteTable({ routes: [], accountRoutes: [rotateRoute] });
const signInHere = localSignIn('demo', 'secret', fakeClock());
const signInWithFirebase = firebaseSignIn({ checks: () => Promise.reject(new Error('not asked')), appCheck: true });
const months = { store: { readMonths: async () => [], listRouterModels: async () => [] } } as never;

/** Listener to a draft that has said that it is enough. */
function draftListener(): (piece: string) => unknown {
  const sink = { live: true, text: nothing };
  const reader = new DraftReader({ sink, request: { message: '' }, deadline: { remainingMs: () => 1 } } as never);
  const { onText = nothing } = reader.optionsOf({ callId: FIRST } as never, new AbortController().signal);
  void onText('PANEL: no\n');
  return onText;
}

/** Readers of texts that users, models and upstreams write. */
readsInLinearTime({
  ...byName(bearerKey, oneLine, isRunId, virtualModel, visibleText, redact, printable, printableJson, isBilledByPrompt),
  ...byName(labelInText, labelsInLine, approves, foundNothing, saysUnchanged, codeSpans, jsonText, addressesIn),
  ...byName(withoutFakeCalls, parseFollowUps, comparableAnswer, isExact, normalisedAnswer, withoutOrigin, tokensIn),

  // Paths, queries and headers.
  'a path': (text) => findRoute('POST', `/dashboard/keys/${text}/rotate`, {}),
  'a place in a list': (text) => parsePlace(`1${text}`),
  'a range of time': (text) => parseRange({ start_date: text }, 0),
  'a range of months': (text) =>
    listMonths.handle(months, { query: new URLSearchParams({ from: text, to: `2026-01${text}` }) } as never),
  'a key': (text) => [isWellFormedKey(`sk-ens_${text}`, 'ens'), bearerKey(`Bearer ${text}`)],
  'an expired key': (text) => challengeOf({ authorization: text }),
  'an ID token': (text) => signInWithFirebase(signInOf({ authorization: `Bearer ${text}` }, '::1')),
  'a cookie': (text) => signInHere(signInOf({ host: 'localhost', origin: text, cookie: text }, '::1')),
  'a host': (text) => signInHere(signInOf({ host: `127.0.0.1${text}`, 'sec-fetch-site': text }, '127.0.0.1')),
  'an address': (text) => signInHere(signInOf({ host: `127.0.0.1${text}` }, `127.${text}`)),
  'a forwarded address': (text) => networkOf({ headers: { 'x-forwarded-for': text }, socket: {} } as never, true),
  'an event’s id': (text) => eventsReply(runs, { lastEventId: text } as never),
  'an event in a query': (text) => eventsReply(runs, { after: `1${text}` } as never),
  'a trace': (text) => traceRequest(log, { ...asked, path: text, headers: { traceparent: text } }),
  'a trace of Google’s': (text) =>
    traceRequest(log, { ...asked, path: '/', headers: { 'x-cloud-trace-context': text } }),

  // Bodies of requests.
  keptRequest: (text) => keptRequest({ url: `data:image/png${text}`, attachments: [{ name: text, data: text }] }),
  'an ignored name': (text) => ignoredIn({ [text]: 1, ai_ensemble: { [text]: 1 } }, ['model', 'messages']),
  'an ignored value': (text) => ignoredIn({ ai_ensemble: { strategy: text, rounds: text, mode: text } }, ['model']),
  'input of items': (text) => {
    const message = { role: 'developer', content: [{ type: 'output_text', text }] };
    const call = { type: 'custom_tool_call', call_id: 'c', name: 'n', input: text };
    const output = { type: 'custom_tool_call_output', call_id: 'c', output: text };
    OpenAiResponseRequest.safeParse({ model: 'm', input: [message, call, output, message] });
    inputSchema.safeParse([{ type: 'reasoning', encrypted_content: `ens1.${text}` }, message]);
  },
  'input of responses': (text) => ResponseRequest.safeParse({ model: text.slice(0, 200), input: text }),
  ai_ensemble: (text) =>
    ChatCompletionRequest.safeParse({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      ai_ensemble: {
        systemPrompt: text,
        strategy: text,
        models: [text, { name: text, systemPrompt: text, label: text }],
      },
    }),
  response_format: (text) =>
    responseFormatSchema.safeParse({ type: 'json_schema', json_schema: { name: text, schema: { title: text } } }),

  // Prompts.
  fence: (text) => fence('A', text, { nonce: NONCE }),
  fenceNonce: (text) => fenceNonce(REQUEST_ID, [text]),
  'copied fences': (text) => copiedFences([text]),
  'copied fences, in pieces': (text) => copiedFences([`<<${NONCE} `, ...piecesOf(text), `<<${NONCE} `.repeat(1_000)]),
  'copied lines': (text) => copiedLines([text]),
  'copied lines, in pieces': (text) => copiedLines(piecesOf(text)),
  'copied lines, after a user’s text': (text) =>
    copiedLines(['Write it again and again and then once more.\n<<1a2b3 A>>\n<<a b>>\n'.repeat(1_000)], text),
  authorMask: (text) => authorMask(NAMES, [])(`${text} I am Demo Ada`),
  'authorMask, of a user’s text': (text) => authorMask(NAMES, [text])('I am Demo Ada'),
  fitTexts: (text) => fitTexts(piecesOf(text), 10_000),
  historyThatFits: (text) => historyThatFits(turnsOf(text), Number.POSITIVE_INFINITY),
  'historyThatFits, cut': (text) => historyThatFits(turnsOf(text), text.length / 2),
  pointerTo: (text) => pointerTo('', text),
  referredTo: (text) => referredTo({}, `#/${text}`),
  'checkSchema, a text': (text) => checkSchema({ type: 'string', enum: [text], minLength: 1, maxLength: 2 }, text),
  'checkSchema, a name': (text) => checkSchema({ additionalProperties: false }, { [text]: text }),
  maxWordsRule: (text) => maxWordsRule(10_000).check(text),
  formRepairPrompt: (text) => formRepairPrompt({ turns: [] }, text, [text]),
  checksRepairPrompt: (text) => checksRepairPrompt({ turns: [] }, text, [text]),

  // Replies of models.
  'saysUnchanged, of a remark': (text) => saysUnchanged(`Nothing needs changing ${text.slice(0, 170)}`),
  readRevision: (text) => readRevision(text, `${text} `),
  'readRevision, in its line': (text) => readRevision(`REVISION: changed (${text.slice(0, 1_900)}`, 'A text'),
  'readRevision, of one word': (text) => readRevision(`Wort: ${text}`, `Wort: ${text}`),
  readStatusLines: (text) => readStatusLines(text, ['DISSENT']),
  'readStatusLines, in its line': (text) => readStatusLines(`DISSENT: ${text}`, ['DISSENT']),
  'comparableAnswer, code': (text) => comparableAnswer(`\`\`\`\n${text}\n\`\`\``),
  'comparableAnswer, its line': (text) => comparableAnswer(`ANSWER: ${text}`),
  asksForFinalAnswer: (text) => asksForFinalAnswer({ message: text, systemPrompt: text }),
  textsAgree: (text) => textsAgree([{ text }, { text: `${text} ` }], undefined),
  majorityStays: (text) => majorityStays([{ text }, { text: `${text} ` }], { name: 'any' }, 1),
  statedAnswer: (text) => statedAnswer(text.split('\n')),
  withNames: (text) => withNames(text, LABELS),
  parseChain: (text) => parseChain(text, 'A chain'),
  'parseChain, in its line': (text) => parseChain(`ANSWER: ${text}`, 'A chain'),
  withoutOpening: (text) => withoutOpening(`PANEL: no\n${text}`),
  hasOpening,
  'a draft, in pieces': (text) => inPieces(text, draftListener(), (onText, piece) => onText(piece)),
  isChatUiErrand: (text) => isChatUiErrand(`${text}</chat_history>`, `${text}}`),
  'isChatUiErrand, a task': (text) =>
    isChatUiErrand(`### Task:\nGenerate a concise ${text}</chat_history>`, `### ${text}`),
  'isChatUiErrand, tools': (text) => isChatUiErrand(`Available Tools: [${text}`, `### Task:${text}}`),
  webSource: (text) => webSource('https://example.org/', text),
  'webSource, an address': (text) => webSource(`https://example.org/?${text}`, text),
  addressKey: (text) => addressKey(`https://example.org/${text}`),
  'WebRecord.endingOf': (text) => new WebRecord([text]).endingOf(text),
  'WebRecord.withSources': (text) => new WebRecord([]).withSources({ id: 'p1' } as never, text),
  'askProvider, in pieces': (text) => attemptIn(text),
  spokenBy: (text) => spokenBy(text, text),
  nameInText: (text) => nameInText({ role: 'user', text, name: 'Sam' }),
  'models by id and name': (text) => [catalog.modelOf(text), catalog.modelIdOfName(text)],
  'ReplyReasoning, of pieces': (text) =>
    inPieces(text, new ReplyReasoning(), (reasoning, piece) =>
      reasoning.add({ reasoning_content: piece, reasoning_details: [{ type: 'x', index: 0, text: piece }] }),
    ).whole(),

  // Upstreams.
  argumentsObject,
  'arguments without a name': (text) =>
    inPieces(text, new CalledTools(LISTENER), (called, piece) =>
      called.take({ key: 0, id: '', name: '', arguments: piece }),
    ),
  toolBlocks: (text) => toolBlocks(toolTurn(text), new LongTexts()),
  toolParts: (text) => toolParts(toolTurn(text), { providerModel: text, texts: new LongTexts() }),
  'a model’s name': (text) => createGoogleProvider({ apiKey: 'k' }).run(callOf('answer', 'x', `${text}!`), LISTENER),
  meantBy: (text) => meantBy({ message: text }, 'rate_limited') + meantBy(text, 'server'),
  refusedIn: (text) => refusedIn({ detail: [{ msg: text, input: text }] }),
  waitSecondsIn: (text) => waitSecondsIn({ details: [{ retryDelay: text }, { retryDelay: `1${text}` }] }),
  reportedFault: (text) => reportedFault({ code: text, type: text, status: text, message: text }),
  'reportedFault, a bare text': (text) => reportedFault(text),
  retryAfterSeconds: (text) => retryAfterSeconds({ 'retry-after-ms': text, 'retry-after': text, date: text }),
  reportIn,
  'reportIn, of an error': (text) => reportIn(JSON.stringify([{ error: { message: text } }])),

  // The demo models.
  'demo, a subject': (text) => [text, text.slice(0, 200)].map((message) => topicOf(callOf('draft', message))),
  ...Object.fromEntries(PURPOSES.map((purpose) => [`demo, ${purpose}`, (text: string) => demo(purpose, text)])),
  'demo, pages and texts': (text) => demo('answer', `x${END_OF_MESSAGE}${fenced('A', text)}`),
  'demo, the user’s text': (text) => demo('analyse', `${text}${END_OF_MESSAGE}${text}`),
  'demo, texts by authors': (text) => demo('analyse', `x${END_OF_MESSAGE}${fenced('A', text)}\n${fenced('B', text)}`),
  'demo, an item': (text) =>
    demo('draft', `x${END_OF_MESSAGE}${fenced('plan', text)}\nFollow the plan, item 2, ${text}`),
  'demo, a response': (text) => demo('judge', judgedAs('Is a tomato a fruit?', text)),
  'demo, a prompt': (text) => demo('judge', judgedAs(text, text)),
  'demo, a form in the message': (text) => demo('draft', `only ${text}${END_OF_MESSAGE}${text}`),
  'demo, a form': (text) => demo('draft', ` that fits this JSON Schema:\n{${text}${END_OF_MESSAGE}${text}`),
  'demo, a form of JSON': (text) => demo('draft', ` that fits this JSON Schema:\n{"a":${text}${END_OF_MESSAGE}${text}`),
});

/** The reply of a demo model to the text. */
function demo(purpose: CallPurpose, text: string): string {
  return demoReply(callOf(purpose, text));
}

function fenced(title: string, text: string): string {
  return `<<0 ${title}>>\n${text}\n<<0 end ${title}>>`;
}

function judgedAs(prompt: string, response: string): string {
  return JSON.stringify({ prompt, responses: [{ label: 'KQXB', response }] });
}

function toolTurn(text: string) {
  return { role: 'assistant' as const, text, toolCalls: [{ id: text, name: 'f', arguments: text }] };
}
