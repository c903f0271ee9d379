import { crc32 } from 'node:zlib';
import type { CallPurpose, ProviderCall } from '../../models/model';
import { fieldsOf } from '../transport/reply-fields';
import { answerInForm } from './demo-form';
import { authorsTexts, demoPage, lastTurnOf, messageOf, shownTexts } from './demo-prompt';
import { type Speech, type Topic, topicOf, VOICES } from './topics/topics';

const NO_MODEL = '(Scripted demo answer: no language model was called. Set a provider key to get real ones.)';
const NO_OPINION = 'Scripted demo verdict: no language model was called.';
/** Messages that no panel is needed for. */
const GREETING = /^(?:hi|hello|hey|good (?:morning|evening|day))\b.{0,8}$/i;
const THANKS = /^(?:thanks|thank you)\b.{0,40}$/i;

/** Reply of a demo model: always the same to the same call, and open about not being a real model's. */
export function demoReply(call: ProviderCall): string {
  const topic = topicOf(call);
  const reply = REPLIES[call.purpose]({ call, topic, own: ownSpeech(call, topic) });
  return typeof reply === 'string' ? reply : JSON.stringify(reply);
}

/** A call, the subject of it and what the called model says of that. */
interface Cue {
  readonly call: ProviderCall;
  readonly topic: Topic;
  readonly own: Speech;
}

const REPLIES: Readonly<Record<CallPurpose, (cue: Cue) => string | object>> = {
  cast: ({ topic: { ada, blaise, curie } }) => ({ lenses: [ada.lens, blaise.lens, curie.lens] }),
  plan: ({ topic: { ada, blaise, curie, checks } }) => ({ items: [ada.work, blaise.work, curie.work], checks }),
  advise: ({ own: { steps, flaw } }) => inParagraphs([...steps, flaw, NO_MODEL]),
  draft,
  revise: revision,
  review: (cue) => {
    const defects = openTexts(cue).map(({ label, speech: { flaw } }) => {
      return { item: Number(label.slice('part '.length)), severity: 'minor', defect: flaw };
    });
    return { verdict: defects.length === 0 ? 'approve' : 'revise', defects };
  },
  attack: (cue) => ({
    findings: openTexts(cue).map(({ label, speech: { steps, flaw, added } }) => {
      return { target: label, quote: steps[0] ?? '', severity: 'major', why: flaw, fix: `Add: ${added}` };
    }),
  }),
  analyse: analysis,
  answer: (cue) => answerInForm(cue.call) ?? inParagraphs([...unitedAnswer(cue), ...searchNote(cue.call), NO_MODEL]),
  follow_ups: ({ topic }) => topic.followUps,
  judge: ({ call }) => verdict(call),
};

function inParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.join('\n\n');
}

function isAskedFor({ call }: Cue, words: string): boolean {
  return lastTurnOf(call).includes(words);
}

function speechOf(model: string, topic: Topic): Speech {
  const { answer, open, final } = topic;
  const voice = VOICES.find((each) => model === `demo-${each}`);
  if (voice) return topic[voice];
  const all = [answer.opening, answer.ada, answer.blaise, answer.curie];
  if (model !== 'demo-unreliable') return { steps: all, added: answer.closing, flaw: 'It draws no conclusion.', final };
  return { steps: [answer.opening, ...topic.agreed], added: open, flaw: 'It is too short to be checked.', final };
}

/** Speech of the called model, unless its task gives it a part: a point of view, or an item of a plan. */
function ownSpeech(call: ProviderCall, topic: Topic): Speech {
  const [, name, number] =
    /You answer as the (.{1,80}?)\.|Follow the plan.{0,20} do item (\d+)/.exec(lastTurnOf(call)) ?? [];
  const panel = [topic.ada, topic.blaise, topic.curie];
  return (
    panel.find(({ lens }) => lens.name === name) ?? panel[Number(number) - 1] ?? speechOf(call.providerModel, topic)
  );
}

/** Speech that a text is made from, known by its second step; undefined for other texts, such as JSON. */
function speechIn(text: string, topic: Topic): Speech | undefined {
  const speakers = [...VOICES.map((voice) => `demo-${voice}`), 'demo-slow', 'demo-unreliable'];
  return speakers.map((model) => speechOf(model, topic)).find(({ steps: [, second = ''] }) => text.includes(second));
}

/** Speech of a text that has not yet taken over what others say. */
function openSpeechIn(text: string, topic: Topic): Speech | undefined {
  const speech = speechIn(text, topic);
  return speech && text.includes(speech.added) ? undefined : speech;
}

/** The texts of others that can still be improved. */
function openTexts({ call, topic }: Cue): { label: string; speech: Speech }[] {
  return authorsTexts(call).flatMap(([label, text]) => {
    const speech = openSpeechIn(text, topic);
    return speech ? [{ label, speech }] : [];
  });
}

/** A first text, behind the word that says if it is enough: it is for a greeting. */
function draft(cue: Cue): string {
  const { call, own } = cue;
  if (!isAskedFor(cue, '"PANEL: no"')) return inParagraphs([...body(cue, own.steps), ...finalLine(cue, own.final)]);
  const isThanks = THANKS.test(messageOf(call));
  if (!isThanks && !GREETING.test(messageOf(call))) return `PANEL: yes\n${inParagraphs(body(cue, own.steps))}`;
  const polite = isThanks ? 'You are welcome.' : 'Hello! What can I do for you?';
  return `PANEL: no\n${answerInForm(call) ?? inParagraphs([polite, NO_MODEL])}`;
}

/** A text in the form that is asked for: as JSON, in numbered steps, in paragraphs. */
function body(cue: Cue, steps: readonly string[]): readonly string[] {
  const inForm = answerInForm(cue.call);
  if (inForm !== undefined) return [inForm];
  const isNumbered = isAskedFor(cue, 'in numbered steps');
  return [
    ...(isNumbered ? [steps.map((step, at) => `${at + 1}. ${step}`).join('\n')] : steps),
    ...searchNote(cue.call),
  ];
}

function finalLine(cue: Cue, final: string): string[] {
  return isAskedFor(cue, '"ANSWER: ') ? [`ANSWER: ${final}`] : [];
}

function searchNote({ providerModel, prompt }: ProviderCall): string[] {
  return prompt.webSearch ? [`Scripted source, as no page was looked up: ${demoPage({ providerModel }).url}`] : [];
}

/** A text that has taken over what others say, below its status, or, where that is done, the status alone. */
function revision(cue: Cue): string {
  const { call, topic, own } = cue;
  const yours = shownTexts(call).get('yours');
  const isDone = yours === undefined ? openTexts(cue).length === 0 : !openSpeechIn(yours, topic);
  const status = statusOf(cue, isDone);
  if (isDone) return status;
  const final = finalLine(cue, own.dissent === undefined ? topic.final : own.final);
  return inParagraphs([status, ...body(cue, [...own.steps, own.added]), ...final]);
}

/** The lines that a revision is asked to begin with, known by words of its task. */
function statusOf(cue: Cue, isDone: boolean): string {
  const { call, topic, own } = cue;
  const texts = shownTexts(call);
  if (isAskedFor(cue, '"FINDING 1: ')) {
    const numbers = texts.get('findings')?.match(/^\d+(?=\. )/gm) ?? [];
    return numbers.map((number) => `FINDING ${number}: fixed`).join('\n');
  }
  const checked = openSpeechIn(texts.get('theirs') ?? texts.get('yours') ?? '', topic);
  const check = checked ? `step ${checked.steps.length}: ${checked.flaw}` : 'verified';
  return [
    isAskedFor(cue, '"CHECK: ') ? `CHECK: ${check}\n` : '',
    `REVISION: ${isDone ? 'kept' : `changed (${own.flaw})`}`,
    isAskedFor(cue, '"; BALLOT: "') ? `; BALLOT: ${ranked(authorsTexts(call), topic).join(' > ')}` : '',
    isAskedFor(cue, '"; DISSENT: ') ? `; DISSENT: ${isDone ? 'none' : 'new'}` : '',
    isAskedFor(cue, '"; STANCE: ') ? '; STANCE: holds' : '',
  ].join('');
}

/** The labels of texts, those of the topic's best voice first. */
function ranked(texts: readonly (readonly [label: string, text: string])[], topic: Topic): string[] {
  const best = speechOf(`demo-${topic.best}`, topic);
  const isBest = (text: string): number => Number(speechIn(text, topic) === best);
  return texts.toSorted(([, a], [, b]) => isBest(b) - isBest(a)).map(([label]) => label);
}

/** The paragraphs of those voices that are heard in the texts shown, or, without any, this model's own text. */
function unitedAnswer({ call, topic, own }: Cue): readonly string[] {
  const texts = authorsTexts(call).map(([, text]) => text);
  const { answer } = topic;
  if (texts.length === 0) return topic.prompt === '' ? [...own.steps, answer.closing] : own.steps;
  const isHeard = (words = ''): boolean => texts.some((text) => text.includes(words));
  const heard = VOICES.filter((voice) => isHeard(topic[voice].steps[1]) || isHeard(answer[voice]));
  return [answer.opening, ...heard.map((voice) => answer[voice]), answer.closing];
}

/** The parts that the schema asks for; those without a row here are empty. */
function analysis({ call, topic }: Cue): object {
  const texts = authorsTexts(call);
  const order = ranked(texts, topic);
  const known = texts.flatMap(([label, text]) => {
    const speech = speechIn(text, topic);
    return speech ? [{ label, speech }] : [];
  });
  const each = (words: (speech: Speech) => string | undefined): string[] =>
    known.flatMap(({ label, speech }) => (words(speech) ? [`${label}: ${words(speech)}`] : []));
  const parts: Readonly<Record<string, unknown>> = {
    winner: order[0] ?? '',
    order,
    agreements: topic.agreed,
    conflicts: [{ ...topic.conflict, why: topic.rationale }],
    unique: known.map(({ label, speech }) => ({ label, point: speech.steps.at(-1), mark: 'plausible' })),
    missing: [topic.open],
    provenance: each(({ steps }) => steps[0]),
    dissent: each(({ dissent }) => dissent),
    decisive: [topic.conflict.ruling],
    fixed: each(({ flaw }) => flaw),
    residual: [topic.open],
    met: topic.checks,
    rationale: topic.rationale,
  };
  const asked = Object.keys(fieldsOf(call.outputSchema?.schema?.['properties']));
  return Object.fromEntries(asked.map((key) => [key, parts[key] ?? []]));
}

/** Part of a judge's material that is read here. */
interface Material {
  readonly responses?: readonly { readonly label: string; readonly response: string }[];
}

/** Scores of 5 to 9 by a checksum of the judge, the response and the criterion, for every criterion asked for. */
function verdict(call: ProviderCall): object {
  const lines = lastTurnOf(call).split('\n');
  const [, ...forms] = lines.findLast((line) => line.startsWith('{"expected":'))?.split('{"label":"<') ?? [];
  const { responses = [] }: Material = JSON.parse(lines.find((line) => line.startsWith('{"prompt":')) ?? '{}');
  const items = responses.map(({ label, response }) => {
    const form = forms.find((each) => each.split('>')[0]?.includes(label)) ?? '';
    const keys = form.match(/\w+(?=":<0-10>)/g) ?? [];
    const scoreOf = (key: string): number => 5 + (crc32(`${call.providerModel}\n${key}\n${response}`) % 9) / 2;
    return { ...Object.fromEntries(keys.map((key) => [key, scoreOf(key)])), label, reasoning: NO_OPINION, change: '' };
  });
  return { expected: NO_OPINION, items };
}
