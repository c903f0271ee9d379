import type { CallPurpose, ProviderCall } from '../../models/model';
import { answerInForm } from './demo-form';
import { analysis, rankedLabels } from './demo-judgement';
import { authorsTexts, isAskedFor, messageOf, pagesNamed, searchNote, shownTexts } from './demo-prompt';
import { isRevised, ownScript, type Script, scriptIn, topicOf, voicesIn } from './demo-scripts';
import { verdict } from './demo-verdict';
import { type Topic, VOICES } from './topics/topics';

/** Reply of a demo model: always the same to the same call, and open about not being a real model's. */
export function demoReply(call: ProviderCall): string {
  const topic = topicOf(call);
  const reply = REPLIES[call.purpose]({ call, topic, own: ownScript(call, topic) });
  return typeof reply === 'string' ? reply : JSON.stringify(reply);
}

/** A call, what it is about and what the called model says of that. */
interface Cue {
  readonly call: ProviderCall;
  readonly topic: Topic;
  readonly own: Script;
}

const REPLIES: Readonly<Record<CallPurpose, (cue: Cue) => string | object>> = {
  cast: ({ topic: { ada, blaise, curie } }) => ({ lenses: [ada.lens, blaise.lens, curie.lens] }),
  plan: ({ topic: { ada, blaise, curie, checks } }) => ({ items: [ada.work, blaise.work, curie.work], checks }),
  draft: (cue) => (isAskedFor(cue.call, '"PANEL: no"') ? firstDraft(cue) : draft(cue)),
  revise: revision,
  review: (cue) => {
    const open = openTexts(cue).map(({ label, script }) => ({ item: Number(label.slice('part '.length)), script }));
    const defects = open.map(({ item, script }) => ({ item, severity: 'minor', defect: script.flaw }));
    return { verdict: defects.length === 0 ? 'approve' : 'revise', defects };
  },
  attack: (cue) => ({
    findings: openTexts(cue).map(({ label, script: { steps, flaw, added } }) => {
      return { target: label, quote: steps[0] ?? '', severity: 'major', why: flaw, fix: `Add: ${added}` };
    }),
  }),
  analyse: ({ call, topic }) => analysis(call, topic),
  answer: (cue) => answerInForm(cue.call) ?? inParagraphs([...unitedAnswer(cue), ...pagesNamed(cue.call), NO_MODEL]),
  follow_ups: ({ topic }) => topic.followUps,
  judge: ({ call }) => verdict(call),
};

const NO_MODEL = '(Scripted demo answer: no language model was called. Set a provider key to get real ones.)';
/** Messages that no panel is needed for, and what is said to them. */
const TRIFLES: readonly (readonly [asked: RegExp, reply: string])[] = [
  [/^(?:hi|hello|hey|good (?:morning|evening|day))\b.{0,20}$/i, 'Hello! What can I do for you?'],
  [/^(?:thanks|thank you)\b.{0,40}$/i, 'You are welcome.'],
  [/^(?:give|suggest|write|generate|find)\b.{0,40}\b(?:title|tags?)\b/i, 'A demo'],
];

function inParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.join('\n\n');
}

/** The draft that says whether it is enough: of greetings, thanks and small chores it is. */
function firstDraft(cue: Cue): string {
  const [, reply] = TRIFLES.find(([asked]) => asked.test(messageOf(cue.call))) ?? [];
  if (reply === undefined) return `PANEL: yes\n${draft(cue)}`;
  return `PANEL: no\n${answerInForm(cue.call) ?? inParagraphs([reply, NO_MODEL])}`;
}

/** Union of the texts shown, or, without any, this model's own text. */
function unitedAnswer({ call, topic, own }: Cue): readonly string[] {
  const texts = authorsTexts(call).map(([, text]) => text);
  const { opening, closing, ...paragraphs } = topic.answer;
  if (texts.length === 0) return topic.prompt === '' ? [...own.steps, closing] : own.steps;
  const heard = new Set(texts.flatMap((text) => voicesIn(text, topic)));
  return [opening, ...VOICES.filter((voice) => heard.has(voice)).map((voice) => paragraphs[voice]), closing];
}

/** A first text; the opposition's with what it holds against the other side. */
function draft(cue: Cue): string {
  const { call, own } = cue;
  const objections = isAskedFor(call, 'You are the opposition.') ? openTexts(cue).map(objection) : [];
  return inParagraphs([
    ...body(cue, own.steps),
    ...(answerInForm(call) ? [] : [...objections, ...searchNote(call)]),
    ...finalLine(cue, own.final),
  ]);
}

function objection({ script: { steps, flaw } }: OpenText): string {
  return `Against “${steps[0]}”: ${flaw}`;
}

/** A text in the form that is asked for: as JSON, in numbered steps, in paragraphs. */
function body({ call }: Cue, steps: readonly string[]): readonly string[] {
  const inForm = answerInForm(call);
  if (inForm !== undefined) return [inForm];
  return isAskedFor(call, 'in numbered steps') ? [steps.map((step, at) => `${at + 1}. ${step}`).join('\n')] : steps;
}

function finalLine({ call }: Cue, final: string): string[] {
  return isAskedFor(call, '"ANSWER: ') ? [`ANSWER: ${final}`] : [];
}

/** A text that has taken over what others say, below its status, or, where that is done, the status alone. */
function revision(cue: Cue): string {
  const { call, topic, own } = cue;
  const yours = shownTexts(call).get('yours');
  const isDone = yours === undefined ? openTexts(cue).length === 0 : isRevised(yours, topic);
  const status = statusOf(cue, isDone);
  if (isDone) return status;
  const steps = yours === undefined ? united(cue) : own.steps;
  const final = finalLine(cue, own.dissent === undefined ? topic.final : own.final);
  return inParagraphs([status, ...body(cue, [...steps, own.added]), ...final]);
}

/** Union of all texts that begins with the model's own. */
function united({ call, topic, own }: Cue): string[] {
  const heard = new Set(authorsTexts(call).flatMap(([, text]) => voicesIn(text, topic)));
  const others = VOICES.filter(
    (voice) => heard.has(voice) && !own.steps.every((step) => topic[voice].steps.includes(step)),
  );
  return [...own.steps.slice(0, 2), ...others.map((voice) => topic.answer[voice])];
}

/** The lines that a revision is asked to begin with, known by words of its task. */
function statusOf(cue: Cue, isDone: boolean): string {
  const { call, topic, own } = cue;
  const findings =
    shownTexts(call)
      .get('findings')
      ?.match(/^\d+(?=\. )/gm) ?? [];
  if (isAskedFor(call, '"FINDING 1: ')) return findings.map((n) => `FINDING ${n}: fixed`).join('\n');
  const fields: readonly (readonly [asked: string, field: () => string])[] = [
    ['"; BALLOT: "', () => `; BALLOT: ${rankedLabels(authorsTexts(call), topic).join(' > ')}`],
    ['"; DISSENT: ', () => `; DISSENT: ${isDone ? 'none' : 'new'}`],
    ['"; STANCE: ', () => '; STANCE: holds'],
  ];
  const more = fields.flatMap(([asked, field]) => (isAskedFor(call, asked) ? [field()] : [])).join('');
  const check = isAskedFor(call, '"CHECK: ') ? `CHECK: ${checkOf(cue)}\n` : '';
  return `${check}REVISION: ${isDone ? 'kept' : `changed (${own.flaw})`}${more}`;
}

function checkOf({ call, topic }: Cue): string {
  const read = shownTexts(call).get('theirs') ?? shownTexts(call).get('yours') ?? '';
  const checked = isRevised(read, topic) ? undefined : scriptIn(read, topic);
  return checked ? `step ${checked.steps.length}: ${checked.flaw}` : 'verified';
}

interface OpenText {
  readonly label: string;
  readonly script: Script;
}

/** The texts of others that can still be improved. */
function openTexts({ call, topic }: Cue): OpenText[] {
  return authorsTexts(call).flatMap(([label, text]) => {
    const script = isRevised(text, topic) ? undefined : scriptIn(text, topic);
    return script ? [{ label, script }] : [];
  });
}
