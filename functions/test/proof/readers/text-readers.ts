import { globSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { bearerKey, isWellFormedKey } from '../../../src/access/api-key';
import { firebaseSignIn } from '../../../src/access/firebase-sign-in';
import { KeyEdit, NewKey } from '../../../src/api/dashboard/key-schemas';
import { listMonths } from '../../../src/api/dashboard/usage';
import type { DashboardDeps } from '../../../src/api/deps';
import { ignoredIn } from '../../../src/api/ensemble-options/ignored';
import { responseFormatSchema } from '../../../src/api/ensemble-options/run-fields';
import { keptRequest } from '../../../src/api/shared/kept-request';
import { ChatCompletionRequest } from '../../../src/api/v1/chat-completions';
import { EvaluationRequest } from '../../../src/api/v1/evaluations';
import { ResponseRequest } from '../../../src/api/v1/responses';
import { eventsReply } from '../../../src/api/v1/run-events';
import { parseRange } from '../../../src/api/v1/usage';
import { readAttachments } from '../../../src/byok/attachments';
import { parseRouterModels } from '../../../src/byok/router';
import { printable, printableJson } from '../../../src/cli/output';
import { comparableAnswer, jsonValuesAgree, textsAgree } from '../../../src/ensemble/agreement/answers-agree';
import { parseAnalysis } from '../../../src/ensemble/arbiter/analysis';
import { explain, explanationText, withNames } from '../../../src/ensemble/arbiter/explanation';
import { parseFollowUps } from '../../../src/ensemble/arbiter/follow-ups';
import { checksRepairPrompt, formRepairPrompt } from '../../../src/ensemble/arbiter/prompts';
import { maxWordsRule, schemaRule } from '../../../src/ensemble/checks/rules';
import { agreementByPlace } from '../../../src/ensemble/form/agreement-by-place';
import { readAnswer } from '../../../src/ensemble/form/read-answer';
import { readRevision } from '../../../src/ensemble/panel/revision';
import { OpeningLine, withoutOpening } from '../../../src/ensemble/strategies/auto/opening-line';
import { parseChain } from '../../../src/ensemble/strategies/chain-of-thought/chain';
import { DRAFT_ANALYSIS } from '../../../src/ensemble/strategies/competitive-refinement';
import { parseLenses } from '../../../src/ensemble/strategies/expert-panel/lenses';
import { parseWorkPlan, parseWorkReview } from '../../../src/ensemble/strategies/hierarchical/replies';
import { isChatUiErrand } from '../../../src/ensemble/strategies/pass-through/chat-ui-errands';
import { parseAttack } from '../../../src/ensemble/strategies/red-team-blue-team/findings';
import { virtualModel } from '../../../src/ensemble/strategies/virtual-models';
import { WebRecord } from '../../../src/ensemble/web/web-record';
import { BlindLabels } from '../../../src/evaluation/blind-labels';
import { EVALUATION_STRATEGIES } from '../../../src/evaluation/evaluation';
import { judgePrompt, shorterTask } from '../../../src/evaluation/judge-prompts';
import { readVerdict } from '../../../src/evaluation/verdict';
import { localSignIn } from '../../../src/http/local-sign-in';
import { networkOf } from '../../../src/http/network-of';
import { challengeOf } from '../../../src/http/reply';
import type { AccountRequest } from '../../../src/http/route';
import { createRouteTable } from '../../../src/http/route-table';
import { systemClock } from '../../../src/lib/clock';
import { describeError, stackOf } from '../../../src/lib/describe-error';
import { redact, visibleText } from '../../../src/lib/foreign-text';
import { jsonExcess, parsedJson } from '../../../src/lib/json';
import { createLog } from '../../../src/lib/log';
import { createCatalog } from '../../../src/models/catalog';
import { tokensIn } from '../../../src/models/estimate-tokens';
import { askProvider } from '../../../src/models/gateway/attempt';
import { newMeter } from '../../../src/models/gateway/gateway-call';
import { ReplyReasoning, ReplySources } from '../../../src/models/gateway/reply-parts';
import {
  type CallListener,
  type CallPurpose,
  type FinishReason,
  nameInText,
  type ProviderCall,
  spokenBy,
} from '../../../src/models/model';
import { addressKey, isBilledByPrompt, webSource, withoutOrigin } from '../../../src/models/web-search';
import { addressesIn } from '../../../src/prompting/addresses-in-text';
import { normalisedAnswer, statedAnswer } from '../../../src/prompting/answer-line';
import { authorMask } from '../../../src/prompting/author-mask';
import { codeSpans } from '../../../src/prompting/code-spans';
import { fitTexts, historyThatFits } from '../../../src/prompting/context-window';
import { CopiedFences } from '../../../src/prompting/copied-fences';
import { fence, fenceNonce } from '../../../src/prompting/fence';
import { lastJson, listInReply, objectInReply, textsInReply } from '../../../src/prompting/json-in-reply';
import { pointerTo, referredTo } from '../../../src/prompting/json-schema/canonical-json';
import { checkSchema } from '../../../src/prompting/json-schema/check-schema';
import { jsonText } from '../../../src/prompting/json-text';
import { labelInText, labelsInLine } from '../../../src/prompting/label-in-text';
import { newConversation, renderPrompt } from '../../../src/prompting/prompt-draft';
import { relaxedJson } from '../../../src/prompting/relaxed-json';
import { approves, foundNothing, saysUnchanged } from '../../../src/prompting/remarks';
import { readStatusLines } from '../../../src/prompting/status-lines';
import { AnthropicReply } from '../../../src/providers/anthropic/anthropic-reply';
import { toolBlocks } from '../../../src/providers/anthropic/anthropic-tools';
import { answerInForm } from '../../../src/providers/demo/demo-form';
import { pagesNamed } from '../../../src/providers/demo/demo-prompt';
import { demoReply } from '../../../src/providers/demo/demo-reply';
import { anyOtherTopic, topicAbout } from '../../../src/providers/demo/topics/topics';
import { createGoogleProvider } from '../../../src/providers/google/google';
import { GoogleReply } from '../../../src/providers/google/google-reply';
import { toolParts } from '../../../src/providers/google/google-tools';
import { OpenAiReply } from '../../../src/providers/openai/openai-reply';
import { OpenAiResponsesReply } from '../../../src/providers/openai/openai-responses';
import { argumentsObject, CalledTools } from '../../../src/providers/transport/called-tools';
import { LongTexts } from '../../../src/providers/transport/long-texts';
import { reportedFault, reportIn, retryAfterSeconds } from '../../../src/providers/transport/provider-fault';
import { readReply } from '../../../src/providers/transport/read-reply';
import type { ReplyReader } from '../../../src/providers/transport/reply-reader';
import { meantBy, refusedIn, waitSecondsIn } from '../../../src/providers/transport/report-words';
import { SpokenText } from '../../../src/providers/transport/spoken-text';
import { alternatingTurns } from '../../../src/providers/transport/turns';
import type { KeptRuns } from '../../../src/runs/kept-runs';
import { isRunId, oneLine, parsePlace } from '../../../src/runs/run-list';
import { traceRequest } from '../../../src/telemetry/request-trace';
import { fakeClock } from '../../support/fake-clock';
import { event } from '../../support/fake-upstream';
import { scopeOf } from '../../support/request-scope';
import type { Reader } from './growth';
import { REQUEST_ID } from './hostile-texts';

/** The folder whose modules are meant. */
export const SOURCES = join(__dirname, '..', '..', '..', 'src');
const PIECE_CHARACTERS = 64;
const NONCE = fenceNonce(REQUEST_ID);
const judgedAs = (prompt: string, response: string): string =>
  JSON.stringify({ prompt, responses: [{ label: 'KQXB', response }] });
const NAMES = ['Demo Ada', 'demo-ada', 'gpt-4o', 'A A A A', 'a a a a a a a a', 'owl/eagle-1', '* * * *'];
const SHOWN = [{ label: 'A' }, { label: 'BCDF', role: 'redTeam' as const }];
const LABELS = new Map(Object.entries({ A: 'the proposition', B: 'Demo Ada' }));
const signal = new AbortController().signal;
const catalog = createCatalog();
const linesForPeople = createLog('debug', () => undefined, { format: 'text' });
const log = createLog('debug', () => undefined, { cloud: { project: 'p', service: 's', version: '1' } });
/** Bodies come whole here. */
const nothing = () => undefined;
const LISTENER: CallListener = {
  ...{ text: nothing, toolCall: nothing, usage: nothing, web: nothing, alive: nothing, pending: nothing },
};
const PURPOSES = [
  'cast',
  'plan',
  'draft',
  'revise',
  'review',
  'attack',
  'analyse',
  'answer',
  'follow_ups',
  'judge',
] as const;

const findRoute = createRouteTable({
  routes: [],
  accountRoutes: [{ method: 'POST', path: '/dashboard/keys/{id}/rotate', handle: async () => ({ body: {} }) }],
});
const store = { readMonths: async () => [], listRouterModels: async () => [] };
const monthsOfNobody = listMonths.route({ store } as unknown as DashboardDeps);
const signInHere = localSignIn('demo', 'secret', fakeClock());
const signInWithFirebase = firebaseSignIn({ checks: () => Promise.reject(new Error('not asked')), appCheck: true });

/** Readers of modules that read texts of users, models or upstreams, by module below `src/` and by name. */
type ReadersByModule = Readonly<Record<string, Readonly<Record<string, Reader>>>>;

export const READERS: ReadersByModule = {
  'http/route-table.ts': { 'a path': (text) => findRoute('POST', `/dashboard/keys/${text}/rotate`) },
  'api/v1/run-events.ts': {
    'the id of an event': (text) =>
      eventsReply({ follow: async () => undefined } as unknown as KeptRuns, {
        ...{ userId: '', resourceId: '', lastEventId: text, clientGone: new AbortController().signal },
        query: new URLSearchParams({ after: `1${text}` }),
      }),
  },
  'api/shared/kept-request.ts': {
    keptRequest: (text) => keptRequest({ url: `data:image/png${text}`, attachments: [{ name: text, data: text }] }),
  },
  'runs/run-list.ts': { oneLine, parsePlace: (text) => parsePlace(`1${text}`), isRunId },
  'http/local-sign-in.ts': {
    'headers and the address': (text) => {
      const headers = { host: `127.0.0.1${text}`, origin: text, 'sec-fetch-site': text, cookie: text };
      const attempt = { method: 'POST', httpVersion: '1.1', recent: false };
      return [
        signInHere({ ...attempt, headers, remoteAddress: '127.0.0.1' }),
        signInHere({ ...attempt, headers, remoteAddress: `127.${text}` }),
        signInHere({ ...attempt, headers: { ...headers, host: 'localhost' }, remoteAddress: '::1' }),
      ];
    },
  },
  'http/network-of.ts': {
    'the address that a platform names': (text) =>
      networkOf({ headers: { 'x-forwarded-for': text }, socket: {} } as unknown as IncomingMessage, true),
  },
  'access/firebase-sign-in.ts': {
    'the header with a token': (text) =>
      signInWithFirebase({
        ...{ method: 'GET', httpVersion: '1.1', remoteAddress: '::1', recent: false },
        headers: { authorization: `Bearer ${text}` },
      }),
  },
  'api/dashboard/key-schemas.ts': {
    'a moment': (text) => [
      NewKey.safeParse({ name: text, expiresAt: text }),
      KeyEdit.safeParse({ expiresAt: `2026-01-01T${text}` }),
    ],
  },
  'api/dashboard/usage.ts': {
    'a range of months': (text) => {
      const query = new URLSearchParams({ from: text, to: `2026-01${text}` });
      return monthsOfNobody.handle({ query, userId: '', startedAtMs: 0 } as unknown as AccountRequest);
    },
  },
  'prompting/fence.ts': {
    fence: (text) => fence('A', text, { nonce: NONCE }),
    fenceNonce: (text) => fenceNonce(REQUEST_ID, [text]),
  },
  'prompting/json-in-reply.ts': {
    objectInReply: (text) => objectInReply(text, ['a']),
    listInReply: (text) => listInReply(text, { list: 'items', items: ['a'] }),
    textsInReply: (text) => textsInReply(text, { list: 'texts', max: 3 }),
    lastJson: (text) => lastJson(text, () => undefined),
  },
  'prompting/relaxed-json.ts': {
    relaxedJson,
    'relaxedJson, in a text': (text) => relaxedJson(`{"a": "${text}`),
    'relaxedJson, in curved quotes': (text) => relaxedJson(`{“a”: “${text}`),
    'relaxedJson, in a list': (text) => relaxedJson(`[${text}`),
  },
  'prompting/label-in-text.ts': { labelInText, labelsInLine },
  'prompting/remarks.ts': {
    approves,
    foundNothing,
    saysUnchanged: (text) => saysUnchanged(text),
    'saysUnchanged, of a remark': (text) => saysUnchanged(`Nothing needs changing ${text.slice(0, 170)}`),
  },
  'ensemble/panel/revision.ts': {
    readRevision: (text) => readRevision(text, `${text} `),
    'readRevision, in its line': (text) => readRevision(`REVISION: changed (${text.slice(0, 1_900)}`, 'A text'),
    'readRevision, of one word': (text) => readRevision(`Wort: ${text}`, `Wort: ${text}`),
  },
  'ensemble/arbiter/follow-ups.ts': { parseFollowUps },
  'prompting/status-lines.ts': {
    readStatusLines: (text) => readStatusLines(text, ['DISSENT']),
    'readStatusLines, in its line': (text) => readStatusLines(`DISSENT: ${text}`, ['DISSENT']),
    'readStatusLines, of many': (text) => readStatusLines(text.replaceAll('\n', '\nFINDING 1: '), ['FINDING']),
    'readStatusLines, of short fences': (text) =>
      readStatusLines(text.replace(/..../gs, '```\nFINDING 1: x\n'), ['FINDING']),
  },
  'prompting/copied-fences.ts': {
    'at once': (text) => copiedFences([text]),
    'a fence, in pieces': (text) => copiedFences([`<<${NONCE} `, ...piecesOf(text), `<<${NONCE} `.repeat(1_000)]),
  },
  'prompting/author-mask.ts': {
    authorMask: (text) => authorMask(NAMES, [])(`${text} I am Demo Ada`),
    'of names all over': (text) =>
      authorMask(NAMES, [])(piecesOf(text, 20).join(' I am a GPT-4 model made by OpenAI. As GPT')),
    'of a user’s text': (text) => authorMask(NAMES, [text])('I am Demo Ada'),
  },
  'prompting/code-spans.ts': { codeSpans },
  'api/ensemble-options/ignored.ts': {
    ofName: (text) => ignoredIn({ [text]: 1, ai_ensemble: { [text]: 1 } }, ['model', 'messages']),
    ofValue: (text) => ignoredIn({ ai_ensemble: { strategy: text, rounds: text, mode: text } }, ['model']),
  },
  'http/reply.ts': { challengeOf: (authorization) => challengeOf({ authorization }) },
  'models/web-search.ts': {
    isBilledByPrompt: (text) => isBilledByPrompt(text),
    webSource: (text) => webSource('https://example.org/', text),
    'webSource, address': (text) => webSource(`https://example.org/?${text}`, text),
    addressKey: (text) => addressKey(`https://example.org/${text}`),
    withoutOrigin: (text) => withoutOrigin(text),
  },
  'ensemble/web/web-record.ts': {
    'WebRecord.endingOf': (text) => new WebRecord([text]).endingOf(text),
    'WebRecord.withSources': (text) => new WebRecord([]).withSources({ id: 'p1' }, text),
  },
  'prompting/addresses-in-text.ts': { addressesIn: (text) => addressesIn(text) },
  'models/estimate-tokens.ts': { tokensIn },
  'prompting/context-window.ts': {
    fitTexts: (text) => fitTexts(piecesOf(text), 10_000),
    historyThatFits: (text) => historyThatFits(turnsOf(text), Number.POSITIVE_INFINITY),
    'historyThatFits, cut': (text) => historyThatFits(turnsOf(text), text.length / 2),
  },
  'prompting/json-text.ts': { jsonText },
  'prompting/json-schema/canonical-json.ts': {
    pointerTo: (text) => pointerTo('', text),
    referredTo: (text) => referredTo({}, `#/${text}`),
  },
  'prompting/json-schema/check-schema.ts': {
    'checkSchema, a text': (text) => checkSchema({ type: 'string', enum: [text], minLength: 1, maxLength: 2 }, text),
    'checkSchema, a name': (text) => checkSchema({ additionalProperties: false }, { [text]: text }),
  },
  'ensemble/form/read-answer.ts': { readAnswer: (text) => readAnswer(text, { name: 'n', schema: {} }) },
  'ensemble/form/agreement-by-place.ts': { agreementByPlace: (text) => agreementByPlace(text, [text, text]) },
  'ensemble/agreement/answers-agree.ts': {
    comparableAnswer,
    'comparableAnswer, code': (text) => comparableAnswer(`\`\`\`\n${text}\n\`\`\``),
    'comparableAnswer, its line': (text) => comparableAnswer(`ANSWER: ${text}`),
    textsAgree: (text) => textsAgree([{ text }, { text: `${text} ` }], undefined),
    jsonValuesAgree: (text) => jsonValuesAgree([text, text]),
  },
  'ensemble/checks/rules.ts': {
    schemaRule: (text) => schemaRule({ type: 'object' }).check(text),
    maxWordsRule: (text) => maxWordsRule(10_000).check(text),
  },
  'prompting/answer-line.ts': { normalisedAnswer, statedAnswer: (text) => statedAnswer(text.split('\n')) },
  'ensemble/arbiter/write-answer.ts': {
    formRepairPrompt: (text) => formRepairPrompt({ turns: [] }, text, [text]),
    checksRepairPrompt: (text) => checksRepairPrompt({ turns: [] }, text, [text]),
  },
  'evaluation/verdict.ts': { readVerdict: (text) => readVerdict(text, SHOWN) },
  'ensemble/arbiter/analysis.ts': { parseAnalysis: (text) => parseAnalysis(text, DRAFT_ANALYSIS) },
  'ensemble/arbiter/explanation.ts': { withNames: (text) => withNames(text, LABELS) },
  'ensemble/strategies/chain-of-thought/chain.ts': {
    parseChain: (text) => parseChain(text, 'A chain'),
    'parseChain, in its line': (text) => parseChain(`ANSWER: ${text}`, 'A chain'),
  },
  'ensemble/strategies/expert-panel/lenses.ts': { parseLenses: (text) => parseLenses(text, 16) },
  'ensemble/strategies/hierarchical/replies.ts': { parseWorkReview, parseWorkPlan: (text) => parseWorkPlan(text, 4) },
  'ensemble/strategies/red-team-blue-team/findings.ts': { parseAttack },
  'ensemble/strategies/virtual-models.ts': { virtualModel },
  'ensemble/strategies/auto/opening-line.ts': {
    withoutOpening: (text) => withoutOpening(`PANEL: no\n${text}`),
    'OpeningLine, in pieces': (text) => {
      const line = new OpeningLine();
      for (const piece of piecesOf(text)) line.read(piece);
    },
  },
  'ensemble/strategies/pass-through/chat-ui-errands.ts': {
    isChatUiErrand: (text) =>
      ['', '### Task:\nGenerate a concise ', '### Task:', 'Available Tools: ['].map((start) =>
        isChatUiErrand(`${start}${text}</chat_history>`, `${start}${text}}`),
      ),
  },
  'providers/transport/called-tools.ts': {
    argumentsObject,
    'CalledTools.take, no name yet': (text) => {
      const called = new CalledTools(LISTENER);
      for (const piece of piecesOf(text)) void called.take({ key: 0, id: '', name: '', arguments: piece });
    },
  },
  'providers/anthropic/anthropic-tools.ts': {
    toolBlocks: (text) =>
      toolBlocks({ role: 'assistant', text, toolCalls: [{ id: text, name: 'f', arguments: text }] }, new LongTexts()),
  },
  'providers/google/google-tools.ts': {
    toolParts: (text) =>
      toolParts(
        { role: 'assistant', text, toolCalls: [{ id: text, name: 'f', arguments: text }] },
        { providerModel: text, texts: new LongTexts() },
      ),
  },
  'providers/google/google.ts': {
    'run, of a model by this name': (text) =>
      createGoogleProvider({ apiKey: 'k' }).run(callOf('answer', 'x', `${text}!`), LISTENER),
  },
  'providers/transport/report-words.ts': {
    meantBy: (text) => meantBy({ message: text }, 'rate_limited') + meantBy(text, 'server'),
    refusedIn: (text) => refusedIn({ detail: [{ msg: text, input: text }] }),
    waitSecondsIn: (text) => waitSecondsIn({ details: [{ retryDelay: text }, { retryDelay: `1${text}` }] }),
  },
  'providers/transport/provider-fault.ts': {
    reportedFault: (text) => reportedFault({ code: text, type: text, status: text, message: text }),
    'reportedFault, a bare text': (text) => reportedFault(text),
    retryAfterSeconds: (text) => retryAfterSeconds({ 'retry-after-ms': text, 'retry-after': text, date: text }),
    reportIn,
    'reportIn, of an error': (text) => reportIn(JSON.stringify([{ error: { message: text } }])),
  },
  'providers/demo/demo-reply.ts': {
    ...Object.fromEntries(PURPOSES.map((purpose) => [purpose, (text: string) => demoReply(callOf(purpose, text))])),
  },
  'providers/demo/demo-prompt.ts': {
    pagesNamed: (text) => {
      const task = `<<0 A>>\n${text}\n<<0 end A>>`;
      return pagesNamed(callOf('answer', `x\n\n<<012def end of the user's message>>\n\n${task}`));
    },
    'with the user’s text first': (text) =>
      demoReply(callOf('analyse', `${text}\n\n<<012def end of the user's message>>\n\n${text}`)),
  },
  'providers/demo/demo-scripts.ts': {
    'of an item of a plan': (text) => {
      const task = `<<0 plan>>\n${text}\n<<0 end plan>>\nFollow the plan and do item 2, ${text}`;
      return demoReply(callOf('draft', `x\n\n<<012def end of the user's message>>\n\n${task}`));
    },
  },
  'providers/demo/demo-judgement.ts': {
    'of a text by an author': (text) => {
      const task = `<<0 A>>\n${text}\n<<0 end A>>\n<<0 B>>\n${text}\n<<0 end B>>`;
      return demoReply(callOf('analyse', `x\n\n<<012def end of the user's message>>\n\n${task}`));
    },
  },
  'providers/demo/demo-verdict.ts': {
    'of a response': (text) => demoReply(callOf('judge', judgedAs('Is a tomato a fruit?', text))),
    'of a prompt': (text) => demoReply(callOf('judge', judgedAs(text, text))),
  },
  'providers/demo/topics/topics.ts': {
    'topicAbout, cut as it is': (text) => topicAbout(text.slice(0, 200)),
    topicAbout: (text) => topicAbout(text),
    anyOtherTopic: (text) => anyOtherTopic(text),
  },
  'providers/demo/demo-form.ts': {
    'a form in the message or in the task': (text) =>
      ['only ', ' that fits this JSON Schema:\n{', ' that fits this JSON Schema:\n{"a":'].map((start) =>
        answerInForm(callOf('draft', `${start}${text}\n\n<<012def end of the user's message>>\n${text}`)),
      ),
  },
  'models/gateway/reply-parts.ts': {
    'whole, of pieces': (text) => {
      const reasoning = new ReplyReasoning();
      for (const piece of piecesOf(text)) {
        reasoning.add({ reasoning_content: piece, reasoning_details: [{ type: 'x', index: 0, text: piece }] });
      }
      return reasoning.whole();
    },
  },
  'models/model.ts': {
    spokenBy: (text) => spokenBy(text, text),
    nameInText: (text) => nameInText({ role: 'user', text, name: 'Sam' }),
  },
  'models/gateway/attempt.ts': { 'askProvider, in pieces': (text) => attemptIn(text) },
  'models/catalog.ts': {
    modelOf: (text) => catalog.modelOf(text),
    modelIdOfName: (text) => catalog.modelIdOfName(text),
  },
  'access/api-key.ts': {
    isWellFormedKey: (text) => isWellFormedKey(`sk-ens_${text}`, 'ens'),
    bearerKey: (text) => bearerKey(`Bearer ${text}`),
    'bearerKey, as it is': bearerKey,
  },
  'lib/json.ts': { parsedJson, jsonExcess: (text) => jsonExcess(Buffer.from(text)) },
  'api/v1/responses.ts': {
    ResponseRequest: (text) => ResponseRequest.safeParse({ model: text.slice(0, 200), input: text }),
  },
  'api/ensemble-options/ensemble-options.ts': {
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
  },
  'api/ensemble-options/run-fields.ts': {
    response_format: (text) =>
      responseFormatSchema.safeParse({
        type: 'json_schema',
        json_schema: { name: text, description: text, schema: { title: text } },
      }),
  },
  'api/v1/usage.ts': { parseRange: (text) => parseRange(new URLSearchParams([['start_date', text]]), 0) },
  'lib/log.ts': {
    'a line': (text) => log.error(text, { path: text, traceId: text }, new Error(text, { cause: new Error(text) })),
    'a line for people': (text) =>
      linesForPeople.error(text, { path: text, traceId: text }, new Error(text, { cause: new Error(text) })),
  },
  'lib/foreign-text.ts': { visibleText, redact },
  'cli/output.ts': { printableJson },
  'telemetry/request-trace.ts': {
    traceRequest: (text) =>
      traceRequest(log, {
        requestId: 'r',
        method: 'GET',
        path: text,
        headers: { traceparent: text, 'x-cloud-trace-context': text },
      }),
  },
};

/** Timed with a few texts only: how much there is of a text counts, not what it says. */
export const SLOW_READERS: ReadersByModule = {
  'models/gateway/reply-parts.ts': {
    'ReplySources.add': (text) => {
      const sources = new ReplySources();
      sources.add(piecesOf(text).map((piece) => ({ url: `https://example.org/${piece}`, title: piece })));
      return sources.list();
    },
  },
  'prompting/prompt-draft.ts': {
    'renderPrompt, cut': (text) => renderPrompt(draftOf(text), 8_000),
    'renderPrompt, whole': (text) => renderPrompt(draftOf(text), null),
  },
  'evaluation/judge-prompts.ts': {
    shorterTask: (text) => shorterTask({ message: jsonText(text), shown: [], brief: false, problems: [] }),
    judgePrompt: (text) =>
      judgePrompt({
        message: jsonText(text),
        shown: SHOWN.map((one, index) => ({
          ...one,
          index,
          response: jsonText(text),
          firstOpinions: [{ scores: {}, reasoning: text }],
        })),
        brief: false,
        problems: [text],
      }),
  },
  'evaluation/blind-labels.ts': { labels: (text) => blindLabelsOf(text).labels('judge', [0, 1]) },
  'ensemble/arbiter/explanation.ts': {
    explain: (text) =>
      explain(
        { winner: text, order: [text], lists: { unique: piecesOf(text) }, rationale: text },
        DRAFT_ANALYSIS,
        LABELS,
      ),
    explanationText: (text) =>
      explanationText({ request: { includeExplanation: true, message: text }, degraded: [text] }, [
        { lines: [text] },
        { title: 'x', lines: [text, ...piecesOf(text)] },
      ]),
  },
  'ensemble/strategies/expert-panel/lenses.ts': {
    'parseLenses, within': (text) => parseLenses(JSON.stringify({ lenses: [{ name: text, focus: text }] }), 16),
  },
  'ensemble/strategies/hierarchical/replies.ts': {
    'parseWorkPlan, within': (text) => parseWorkPlan(JSON.stringify({ items: [text, ...piecesOf(text)] }), 4),
    'parseWorkReview, within': (text) =>
      parseWorkReview(JSON.stringify({ verdict: text, defects: [text, { item: text, severity: text, defect: text }] })),
  },
  'ensemble/strategies/red-team-blue-team/findings.ts': {
    'parseAttack, within': (text) =>
      parseAttack(JSON.stringify({ findings: [{ target: text, quote: text, severity: text, why: text, fix: text }] })),
  },
  'providers/transport/spoken-text.ts': {
    'SpokenText.text': (text) => speakTo({}, text),
    'SpokenText.text, at once': (text) => new SpokenText({}, LISTENER).text(text),
    'SpokenText.text, in a thought': (text) => speakTo({}, `<think>${text}`),
    'SpokenText.text, in a thought without marks': (text) => speakTo({}, `analysisX${text}`),
    'SpokenText.text, in a channel': (text) => speakTo({}, `<|channel|>final<|message|>${text}`),
    'SpokenText.text, in a thought that was not opened': (text) => speakTo({ thoughtsUnopened: true }, text),
  },
  'providers/transport/read-reply.ts': {
    'readReply, in chunks': (text) => readAll(text, 1_024),
    'readReply, an event in chunks': (text) => readAll(`data: ${text.replaceAll(/[\r\n]/g, ' ')}\n\n`, 64),
    'readReply, no events': (text) =>
      readReply(Readable.from(piecesOf(text)), new OpenAiReply(LISTENER), { signal, listener: LISTENER }),
    'readReply, one event': (text) =>
      readReply(Readable.from([`data: ${text}`]), new OpenAiReply(LISTENER), { signal, listener: LISTENER }),
  },
  'providers/openai/openai-reply.ts': {
    'OpenAiReply.take': (text) =>
      eachPiece(text, new OpenAiReply(LISTENER), (piece) => ({
        choices: [{ delta: { content: piece } }],
        usage: { [piece]: 1 },
      })),
    'OpenAiReply.take, an error': (text) =>
      wholeReply(new OpenAiReply(LISTENER), { error: { message: text, code: text } }),
    'OpenAiReply.take, a completion': (text) =>
      wholeReply(new OpenAiReply(LISTENER), { choices: [{ message: { content: text }, finish_reason: text }] }),
    'OpenAiReply.take, parts': (text) =>
      wholeReply(new OpenAiReply(LISTENER), {
        choices: [{ message: { content: piecesOf(text).map((piece) => ({ type: 'text', text: piece })) } }],
      }),
  },
  'providers/openai/openai-responses.ts': {
    'OpenAiResponsesReply.take': (text) =>
      eachPiece(text, new OpenAiResponsesReply(LISTENER), (piece) => ({
        type: 'response.output_text.annotation.added',
        annotation: { type: 'url_citation', url: `https://example.org/${piece}`, title: piece },
      })),
    'OpenAiResponsesReply.take, text': (text) =>
      wholeReply(new OpenAiResponsesReply(LISTENER), { type: 'response.output_text.delta', delta: text }),
  },
  'providers/anthropic/anthropic-reply.ts': {
    'AnthropicReply.take': (text) =>
      eachPiece(text, new AnthropicReply(LISTENER), (piece, index) => ({
        type: 'message_delta',
        usage: { [`${index}${piece}`]: 1, input_tokens: index },
      })),
    'AnthropicReply.take, text': (text) =>
      wholeReply(new AnthropicReply(LISTENER), { type: 'content_block_delta', delta: { type: 'text_delta', text } }),
  },
  'providers/google/google-reply.ts': {
    'GoogleReply.take': (text) =>
      eachPiece(text, new GoogleReply(LISTENER), (piece, index) => ({
        candidates: [{ content: { parts: [{ text: piece }] } }],
        usageMetadata: { [`${index}${piece}`]: 1 },
      })),
    'GoogleReply.take, parts': (text) =>
      wholeReply(new GoogleReply(LISTENER), {
        candidates: [{ content: { parts: piecesOf(text).map((piece) => ({ text: piece })) } }],
      }),
  },
  'providers/transport/turns.ts': {
    alternatingTurns: (text) => JSON.stringify(alternatingTurns(turnsOf(text))),
    'alternatingTurns, of one role': (text) =>
      JSON.stringify(alternatingTurns(turnsOf(text).map((turn) => ({ ...turn, role: 'user' as const })))),
  },
  'byok/attachments.ts': {
    'readAttachments, a JSON file': (text) => attach('application/json', JSON.stringify(text)),
    'readAttachments, a PDF’s text': (text) => attach('application/pdf', text),
    'readAttachments, no base64': (text) => attachData(text),
  },
  'byok/router.ts': {
    parseRouterModels: (text) =>
      parseRouterModels({ data: [{ id: 'o/m', name: text }, { id: text }, ...piecesOf(text)] }),
  },
  'api/shared/messages.ts': {
    'a message': (text) =>
      ChatCompletionRequest.safeParse({ model: text, messages: [{ role: 'user', content: text }] }),
    'many messages': (text) =>
      ChatCompletionRequest.safeParse({
        model: 'm',
        messages: piecesOf(text).map((content) => ({ role: 'user', content })),
      }),
    'many parts': (text) =>
      ChatCompletionRequest.safeParse({
        model: 'm',
        messages: [{ role: 'user', content: piecesOf(text).map((piece) => ({ type: 'text', text: piece })) }],
      }),
  },
  'api/v1/evaluations.ts': {
    EvaluationRequest: (text) =>
      EvaluationRequest.safeParse({
        prompt: text,
        responses: piecesOf(text).map((piece) => ({ modelId: piece, modelName: piece, response: piece })),
        judge_models: [{ id: text, name: text }],
      }),
  },
  'cli/output.ts': { printable },
  'lib/describe-error.ts': {
    describeError: (text) => describeError(new Error(text, { cause: new Error(text) })),
    stackOf: (text) => stackOf(new Error(text)),
  },
};

/** Modules that read hostile JSON as well. */
export const READ_JSON: ReadonlySet<string> = new Set([
  'lib/json.ts',
  'prompting/json-in-reply.ts',
  'prompting/relaxed-json.ts',
  'ensemble/form/read-answer.ts',
  'ensemble/form/agreement-by-place.ts',
  'ensemble/agreement/answers-agree.ts',
  'ensemble/checks/rules.ts',
  'evaluation/verdict.ts',
  'ensemble/arbiter/analysis.ts',
  'ensemble/strategies/expert-panel/lenses.ts',
  'ensemble/strategies/hierarchical/replies.ts',
  'ensemble/strategies/red-team-blue-team/findings.ts',
]);

/** The other modules with such a construct, and why they need not be timed. */
const REASONS: Readonly<Record<string, string>> = {
  'reads settings and the operator’s words': `
    config.ts env-files.ts providers/transport/proxies.ts api/dashboard/dashboard-settings.ts
    billing/stripe.ts lib/settings-reader.ts cli/command.ts cli/program.ts cli/key-commands.ts cli/main.ts
    cli/doctor.ts cli/seed.ts cli/speakers.ts cli/demo-user.ts
    telemetry/telemetry-module.ts models/base-url.ts models/model-overrides.ts byok/secret-box.ts access/keys.ts
    access/key-limits.ts lib/usd.ts models/model-policy.ts
  `,
  'takes apart what the service itself has written': `
    evaluation/open-evaluation.ts api/openapi/document.ts providers/transport/long-texts.ts
    ensemble/arbiter/conclude.ts ensemble/strategies/chain-of-thought/chain-of-thought.ts
    ensemble/strategies/collaborative-synthesis.ts
    ensemble/strategies/expert-panel/expert-panel.ts ledger/idempotency.ts lib/packed.ts models/model-fault.ts
    runs/kept-runs.ts api/dashboard/evaluations.ts
  `,
  'holds a text to one bounded pattern without alternatives, or trims it': `
    api/ensemble-options/tool-offer.ts providers/openai/openai.ts
    evaluation/conclude.ts
    ensemble/strategies/hierarchical/hierarchical.ts ensemble/strategies/debate-tournament/verdict.ts
    providers/anthropic/anthropic.ts http/app.ts http/behind-framework.ts
    ensemble/waves/mark-filter.ts models/gateway/reply.ts http/idempotent-route.ts
    api/playground/playground.ts api/shared/schemas.ts
  `,
  'reads a beginning of bounded length': 'ensemble/checks/language-rule.ts',
  'parts names of ours at its start': 'providers/openai/openai-usage.ts',
  'reads the name of a coding in a header, of bounded length': 'providers/transport/upstream-request.ts',
  'parses JSON for the readers of replies, which are timed': 'providers/transport/reply-fields.ts',
  'read by the fence and by chains, which are timed': 'prompting/compatibility-form.ts',
  'reads one reply, of bounded length, when a server starts': 'cli/base-url-probe.ts',
  'parses JSON within the limits that `lib/json.ts` has checked': 'http/body.ts',
  'parts a reply of ours into words': 'providers/demo/demo.ts',
  'looks for the place of the text in a chunk of ours, once a stream': 'api/answer/chunks.ts',
  'reads in a thread of its own, which is ended at a limit of time': 'byok/pdf-text.ts',
};

export const NOT_TIMED: readonly string[] = [
  ...Object.values(REASONS).flatMap((modules) => modules.trim().split(/\s+/)),
  // Takes apart what the service itself has written.
  ...globSync('store/**/*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('.test.ts')),
];

function piecesOf(text: string, characters = PIECE_CHARACTERS): string[] {
  return Array.from({ length: Math.ceil(text.length / characters) }, (_, index) =>
    text.slice(index * characters, (index + 1) * characters),
  );
}

function copiedFences(pieces: readonly string[]): void {
  const fences = new CopiedFences(NONCE);
  for (const piece of pieces) fences.read(piece);
  fences.end();
}

function turnsOf(text: string) {
  return piecesOf(text).map((piece, index) => ({
    role: index % 2 ? ('assistant' as const) : ('user' as const),
    text: piece,
  }));
}

function draftOf(text: string) {
  return {
    system: 'x',
    conversation: newConversation({ requestId: REQUEST_ID, history: turnsOf(text), message: 'x' }),
    task: ['x', { title: 'A', text }, { title: 'B', text: `${text}!`, minor: true }],
  };
}

function callOf(purpose: CallPurpose, text: string, providerModel = 'demo-ada'): ProviderCall {
  const schema = { properties: { winner: {}, unique: {}, items: { items: { properties: { accuracy: {} } } } } };
  return {
    providerModel,
    purpose,
    signal,
    sampling: {},
    prompt: { turns: [{ role: 'user', text }] },
    outputSchema: { name: 's', schema },
  };
}

function eachPiece(
  text: string,
  reply: ReplyReader,
  chunkOf: (piece: string, index: number) => object,
): Promise<FinishReason> {
  const events = piecesOf(text).map((piece, index) => event(chunkOf(piece, index)));
  return readReply(Readable.from(events), reply, { signal, listener: LISTENER });
}

/** A reply that is one object. */
function wholeReply(reply: ReplyReader, body: object): Promise<FinishReason> {
  return readReply(Readable.from([JSON.stringify(body)]), reply, { signal, listener: LISTENER });
}

function speakTo(call: { readonly thoughtsUnopened?: boolean }, text: string): void {
  const spoken = new SpokenText(call, LISTENER);
  for (const piece of piecesOf(text, 3)) void spoken.text(piece);
  void spoken.end();
}

function readAll(text: string, chunkCharacters: number): Promise<FinishReason> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkCharacters) }, (_, index) =>
    bytes.subarray(index * chunkCharacters, (index + 1) * chunkCharacters),
  );
  return readReply(Readable.from(chunks), new OpenAiReply(LISTENER), { signal, listener: LISTENER });
}

async function attemptIn(text: string): Promise<unknown> {
  const call = {
    scope: scopeOf(REQUEST_ID),
    model: catalog.modelOf('demo-ada'),
    prompt: { turns: [{ role: 'user' as const, text: 'x' }] },
    purpose: 'answer' as const,
    signal,
    budgetMs: 600_000,
    openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => undefined }),
    onText: () => undefined,
  };
  const run = async (_: ProviderCall, listener: CallListener) => {
    for (const piece of piecesOf(text)) await listener.text(piece);
    return 'stop' as const;
  };
  const endsAtMs = systemClock.nowMs() + 600_000;
  return askProvider({ clock: systemClock, provider: () => ({ run }) }, call, { number: 1, endsAtMs });
}

function attach(media_type: 'application/json' | 'application/pdf', content: string): Promise<unknown> {
  const file = { name: content.slice(0, 200) || 'x', media_type, data: Buffer.from(content).toString('base64') };
  return readAttachments([file], {
    requestId: REQUEST_ID,
    userId: 'u1',
    readPdf: () => Promise.resolve({ text: content }),
  });
}

function attachData(data: string): Promise<unknown> {
  const readPdf = () => Promise.resolve({ text: '' });
  return readAttachments([{ name: 'x', media_type: 'image/png', data }], {
    requestId: REQUEST_ID,
    userId: 'u1',
    readPdf,
  });
}

function blindLabelsOf(text: string): BlindLabels {
  const responses = [text, `${text}!`].map((response) => ({ modelId: 'm', modelName: 'm', response }));
  const request = {
    message: text,
    responses,
    judges: [],
    strategy: EVALUATION_STRATEGIES.standard,
    mode: 'standard' as const,
    weighted: false,
    canonicalId: (name: string) => name,
  };
  return new BlindLabels(new Uint8Array(32), request);
}
