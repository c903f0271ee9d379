import { MessageRequest } from '../../../src/api/anthropic/request';
import { customArguments, customInput } from '../../../src/api/shared/custom-tools';
import { imageFrom } from '../../../src/api/shared/images';
import { openAiMessagesSchema } from '../../../src/api/shared/messages';
import { thoughtIn } from '../../../src/api/shared/thought-token';
import { ChatCompletionRequest } from '../../../src/api/v1/chat-completions';
import { EvaluationRequest } from '../../../src/api/v1/evaluations';
import { explain, explanationText } from '../../../src/ensemble/arbiter/explanation';
import { toldAnalysis } from '../../../src/ensemble/arbiter/told-analysis';
import { DRAFT_ANALYSIS } from '../../../src/ensemble/strategies/competitive-refinement';
import { parseLenses } from '../../../src/ensemble/strategies/expert-panel/lenses';
import { parseWorkPlan, parseWorkReview } from '../../../src/ensemble/strategies/hierarchical/replies';
import { parseAttack } from '../../../src/ensemble/strategies/red-team-blue-team/findings';
import { judgePrompt, shorterTask } from '../../../src/evaluation/judge-prompts';
import { describeError, stackOf } from '../../../src/lib/describe-error';
import { createLog } from '../../../src/lib/log';
import { ReplySources } from '../../../src/models/gateway/reply-parts';
import { authorMask } from '../../../src/prompting/author-mask';
import { jsonText } from '../../../src/prompting/json-text';
import { renderPrompt } from '../../../src/prompting/prompt-draft';
import { readStatusLines } from '../../../src/prompting/status-lines';
import { AnthropicReply } from '../../../src/providers/anthropic/anthropic-reply';
import { GoogleReply } from '../../../src/providers/google/google-reply';
import { OpenAiReply } from '../../../src/providers/openai/openai-reply';
import { OpenAiResponsesReply } from '../../../src/providers/openai/openai-responses';
import { modelsIn } from '../../../src/providers/openai/server-models';
import type { ReplyReader } from '../../../src/providers/transport/read-reply';
import { SpokenText } from '../../../src/providers/transport/spoken-text';
import { alternatingTurns } from '../../../src/providers/transport/turns';
import { isLongMode } from '../../support/long-mode';
import { readsInLinearTime } from './growth';
import { HOSTILE_JSON, HOSTILE_TEXTS } from './hostile-texts';
import {
  attach,
  blindLabels,
  bodyOf,
  chunksOf,
  draftOf,
  eventsOf,
  inPieces,
  LISTENER,
  nothing,
  piecesOf,
  speak,
  turnsOf,
} from './inputs';

const MARK = { cache_control: { type: 'ephemeral' } };
const blocksOf = (text: string) => [
  { type: 'text', text },
  { type: 'thinking', thinking: text, signature: `ens1.${text}` },
  { type: 'tool_use', id: text, name: text, input: { [text]: text } },
];
const NAMES = ['Demo Ada', 'demo-ada', 'gpt-4o', 'A A A A', 'a a a a a a a a', 'owl/eagle-1', '* * * *'];
const log = createLog('debug', nothing, { cloud: { project: 'p', service: 's', version: '1' } });
const linesForPeople = createLog('debug', nothing, { format: 'text' });

/** Readers for which the length of a text counts, not its words. */
const FEW = [...HOSTILE_TEXTS, ...HOSTILE_JSON].filter((_, at) => isLongMode || at % 64 === 0);

readsInLinearTime(
  {
    describeError: (text) => describeError(new Error(text, { cause: new Error(text) })),
    stackOf: (text) => stackOf(new Error(text)),
    'readStatusLines, of many': (text) => readStatusLines(text.replace(/..../gs, '\nFINDING 1: '), ['FINDING']),
    'readStatusLines, of fences': (text) => readStatusLines(text.replace(/..../gs, '```\nFINDING 1: x\n'), ['FINDING']),
    'authorMask, of names': (text) =>
      authorMask(NAMES, [])(piecesOf(text, 20).join(' I am a GPT-4 model by OpenAI. As GPT')),
    'a line': (text) => log.error(text, { path: text, traceId: text }, new Error(text, { cause: new Error(text) })),
    'a line for people': (text) =>
      linesForPeople.error(text, { path: text }, new Error(text, { cause: new Error(text) })),
    'many sources': (text) =>
      inPieces(text, new ReplySources(), (sources, piece) =>
        sources.add([{ url: `https://example.org/${piece}`, title: piece }]),
      ).list(),
    'renderPrompt, cut': (text) => renderPrompt(draftOf(text), 8_000),
    'renderPrompt, whole': (text) => renderPrompt(draftOf(text), null),
    shorterTask: (text) => shorterTask({ ...judgedTask(text), shown: [] }),
    judgePrompt: (text) => judgePrompt(judgedTask(text)),
    labels: (text) => blindLabels(text).labels('judge', [0, 1]),
    explain: (text) => explain(analysisOf(text), DRAFT_ANALYSIS, new Map([['A', text]])),
    toldAnalysis: (text) => toldAnalysis(analysisOf(text), DRAFT_ANALYSIS, meaningsOf(text)),
    explanationText: (text) =>
      explanationText(explainedIn(text), [{ lines: [text] }, { title: 'x', lines: piecesOf(text) }]),
    'parseLenses, within': (text) => parseLenses(JSON.stringify({ lenses: [{ name: text, focus: text }] }), 16),
    'parseWorkPlan, within': (text) => parseWorkPlan(JSON.stringify({ items: [text, ...piecesOf(text)] }), 4),
    'parseWorkReview, within': (text) =>
      parseWorkReview(JSON.stringify({ verdict: text, defects: [text, defectOf(text)] })),
    'parseAttack, within': (text) => parseAttack(JSON.stringify({ findings: [{ ...defectOf(text), quote: text }] })),
    'SpokenText.text': (text) => speak(text),
    'SpokenText.text, at once': (text) => new SpokenText({}, LISTENER).text(text),
    'SpokenText.text, in a thought': (text) => speak(`<think>${text}`),
    'SpokenText.text, in a thought without marks': (text) => speak(`analysisX${text}`),
    'SpokenText.text, in a channel': (text) => speak(`<|channel|>final<|message|>${text}`),
    'SpokenText.text, in a thought that was not opened': (text) => speak(text, { thoughtsUnopened: true }),
    'readReply, in chunks': (text) => bodyOf(new OpenAiReply(LISTENER), chunksOf(text, 1_024)),
    'readReply, an event in chunks': (text) => bodyOf(new OpenAiReply(LISTENER), chunksOf(eventOf(text), 64)),
    'readReply, no events': (text) => bodyOf(new OpenAiReply(LISTENER), piecesOf(text)),
    'readReply, one event': (text) => bodyOf(new OpenAiReply(LISTENER), [`data: ${text}`]),
    OpenAiReply: (text) =>
      eventsOf(new OpenAiReply(LISTENER), text, (piece) => ({
        choices: [{ delta: { content: piece } }],
        usage: { [piece]: 1 },
      })),
    'OpenAiReply, an error': (text) => whole(new OpenAiReply(LISTENER), { error: { message: text, code: text } }),
    'OpenAiReply, a completion': (text) => whole(new OpenAiReply(LISTENER), completionOf(text)),
    'OpenAiReply, parts': (text) => whole(new OpenAiReply(LISTENER), completionOf(partsOf(text))),
    OpenAiResponsesReply: (text) =>
      eventsOf(new OpenAiResponsesReply(LISTENER), text, (piece) => ({
        type: 'response.output_text.annotation.added',
        annotation: { type: 'url_citation', url: `https://example.org/${piece}`, title: piece },
      })),
    'OpenAiResponsesReply, text': (text) =>
      whole(new OpenAiResponsesReply(LISTENER), { type: 'response.output_text.delta', delta: text }),
    AnthropicReply: (text) =>
      eventsOf(new AnthropicReply(LISTENER), text, (piece, index) => ({
        type: 'message_delta',
        usage: { [`${index}${piece}`]: 1, input_tokens: index },
      })),
    'AnthropicReply, text': (text) =>
      whole(new AnthropicReply(LISTENER), { type: 'content_block_delta', delta: { type: 'text_delta', text } }),
    GoogleReply: (text) =>
      eventsOf(new GoogleReply(LISTENER), text, (piece, index) => ({
        candidates: [{ content: { parts: [{ text: piece }] } }],
        usageMetadata: { [`${index}${piece}`]: 1 },
      })),
    'GoogleReply, parts': (text) =>
      whole(new GoogleReply(LISTENER), { candidates: [{ content: { parts: partsOf(text) } }] }),
    alternatingTurns: (text) => JSON.stringify(alternatingTurns(turnsOf(text))),
    'alternatingTurns, of one role': (text) => JSON.stringify(alternatingTurns(turnsOf(text, ['user', 'user']))),
    'a JSON file': (text) => attach('application/json', base64(JSON.stringify(text)), text),
    'a PDF’s text': (text) => attach('application/pdf', base64(text), text),
    'no base64': (text) => attach('image/png', text, ''),
    modelsIn: (text) =>
      modelsIn({
        data: [{ id: 'o/m', name: text, type: text, pricing: { prompt: text } }, { id: text }, ...piecesOf(text)],
      }),
    'a message': (text) => chatOf([{ role: 'user', content: text }]),
    'many messages': (text) => chatOf(turnsOf(text).map(({ role, text: content }) => ({ role, content }))),
    'images by OpenAI’s protocol': (text) =>
      openAiMessagesSchema.safeParse([
        { role: 'user', content: [{ type: 'file', file: { file_data: `data:application/pdf;base64,${text}` } }] },
        {
          role: 'assistant',
          tool_calls: piecesOf(text).map((name) => ({ id: name, type: 'custom', custom: { name, input: name } })),
        },
      ]),
    'an image’s address': (text) => imageFrom(`https://${text}`, 'an "image"'),
    'a custom call': (text) => customInput(customArguments(text)),
    'many parts': (text) => chatOf([{ role: 'user', content: partsOf(text) }]),
    'messages of Anthropic’s protocol': (text) =>
      MessageRequest.safeParse({
        ...{
          model: 'm',
          max_tokens: 1,
          system: piecesOf(text).map((piece) => ({ type: 'text', text: piece, ...MARK })),
        },
        messages: [
          ...piecesOf(text).map((piece) => ({ role: 'assistant', content: blocksOf(piece) })),
          ...piecesOf(text).map((piece) => ({ role: 'user', content: [{ ...blocksOf(piece)[0], ...MARK }] })),
          ...piecesOf(text).map((piece) => ({ role: 'system', content: [{ type: 'text', text: piece, ...MARK }] })),
        ],
      }),
    'a token of thoughts': (text) => thoughtIn(`ens1.${text}`),
    'an evaluation': (text) =>
      EvaluationRequest.safeParse({
        prompt: text,
        responses: piecesOf(text).map((piece) => ({ modelId: piece, modelName: piece, response: piece })),
        judge_models: [{ id: text, name: text }],
      }),
  },
  FEW,
);

function judgedTask(text: string) {
  const opinion = { scores: {}, reasoning: text };
  const response = {
    index: 0,
    label: 'BCDF',
    role: 'redTeam' as const,
    response: jsonText(text),
    firstOpinions: [opinion],
  };
  return { message: jsonText(text), shown: [response], brief: false, problems: [text] };
}

function analysisOf(text: string) {
  const lists = { unique: piecesOf(text) };
  return { winner: text, order: [text], lists, items: lists, rationale: text };
}

function meaningsOf(text: string) {
  return { names: new Map([['A', text]]), candidates: new Map([['A', 0]]) };
}

function explainedIn(text: string) {
  return { request: { includeExplanation: true, message: text }, degraded: [text] };
}

function defectOf(text: string) {
  return { item: text, target: text, quote: text, severity: text, defect: text, why: text, fix: text };
}

function partsOf(text: string) {
  return piecesOf(text).map((piece) => ({ type: 'text', text: piece }));
}

function completionOf(content: unknown) {
  return { choices: [{ message: { content }, finish_reason: 'stop' }] };
}

function chatOf(messages: unknown) {
  return ChatCompletionRequest.safeParse({ model: 'm', messages });
}

/** A reply that is one object. */
function whole(reply: ReplyReader, body: object) {
  return bodyOf(reply, [JSON.stringify(body)]);
}

function eventOf(text: string): string {
  return `data: ${text.replaceAll(/[\r\n]/g, ' ')}\n\n`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
