import type { ProviderCall } from '../../models/model';
import { isAskedFor, lastTurnOf, lineOf, messageOf, shownTexts } from './demo-prompt';
import { anyOtherTopic, type Speech, type Topic, topicAbout, VOICES, type Voice } from './topics/topics';

/** Script of one demo model on a topic, in one sentence too. */
export interface Script extends Speech {
  readonly point: string;
}

/** The topic that a call is about. */
export function topicOf(call: ProviderCall): Topic {
  return topicAbout(messageOf(call)) ?? anyOtherTopic(lineOf(call));
}

const SPEAKERS: Readonly<Record<string, (topic: Topic) => Script>> = {
  'demo-ada': (topic) => scriptOfVoice(topic, 'ada'),
  'demo-blaise': (topic) => scriptOfVoice(topic, 'blaise'),
  'demo-curie': (topic) => scriptOfVoice(topic, 'curie'),
  'demo-dissenter': (topic) => scriptOfVoice(topic, 'dissenter'),
  'demo-slow': surveyOf,
  'demo-unreliable': sketchOf,
};

/** Script of the called model, unless its task gives it a part: a point of view, or an item of a plan. */
export function ownScript(call: ProviderCall, topic: Topic): Script {
  const voices = voicesAssigned(call, topic);
  const [voice] = voices;
  if (voice !== undefined) return voices.length === 1 ? scriptOfVoice(topic, voice) : partOf(topic, voices);
  return (SPEAKERS[call.providerModel] ?? surveyOf)(topic);
}

/** Script of the author of a text, known by its words; undefined for texts that are not of the topic, such as JSON. */
export function scriptIn(text: string, topic: Topic): Script | undefined {
  const author = authorOf(text, topic);
  if (author !== undefined) return scriptOfVoice(topic, author);
  const voices = voicesIn(text, topic);
  if (voices.length > 0) return partOf(topic, voices);
  const sketch = sketchOf(topic);
  return isBy(sketch, text) ? sketch : undefined;
}

/** The voice whose draft a text is made from. */
export function authorOf(text: string, topic: Topic): Voice | undefined {
  return VOICES.find((voice) => isBy(topic[voice], text));
}

/** The voices heard in a text. */
export function voicesIn(text: string, topic: Topic): Voice[] {
  return VOICES.filter((voice) => isBy(topic[voice], text) || text.includes(topic.answer[voice]));
}

/** True if a text has taken over what others say, or is of a form that leaves no room for it. */
export function isRevised(text: string, topic: Topic): boolean {
  const script = scriptIn(text, topic);
  return script === undefined || text.includes(script.added);
}

function isBy({ steps: [, second = ''] }: Speech, text: string): boolean {
  return text.includes(second);
}

function scriptOfVoice(topic: Topic, voice: Voice): Script {
  return {
    ...topic[voice],
    point: topic.answer[voice],
    ...(voice === 'dissenter' && { dissent: topic.dissenter.steps.join(' ') }),
  };
}

/** Several voices in one text, as in a united answer. */
function partOf({ answer, final, conflict }: Topic, voices: readonly Voice[]): Script {
  const opening = voices.includes('ada') ? [answer.opening] : [];
  const steps = [...opening, ...voices.map((voice) => answer[voice])];
  return { steps, added: answer.closing, flaw: NO_CONCLUSION, final, point: conflict.ruling };
}

const NO_CONCLUSION = 'It gives all sides and draws no conclusion from them.';

/** One that takes its time: every side. */
function surveyOf(topic: Topic): Script {
  return partOf(topic, ['ada', 'blaise', 'curie']);
}

/** One that is soon done. */
function sketchOf({ answer, agreed: [agreed = ''], open, final }: Topic): Script {
  return { steps: [answer.opening, agreed], added: open, flaw: 'It is too short to be checked.', final, point: agreed };
}

const PANEL = ['ada', 'blaise', 'curie'] as const;

/** The last item of a plan holds what is left. */
function voicesAssigned(call: ProviderCall, topic: Topic): Voice[] {
  const [, number] = /Follow the plan(?: all the same)? and do item (\d+)/.exec(lastTurnOf(call)) ?? [];
  if (number === undefined) {
    return PANEL.filter((voice) => isAskedFor(call, `You answer as the ${topic[voice].lens.name}.`));
  }
  const items =
    shownTexts(call)
      .get('plan')
      ?.match(/^\d+\. /gm)?.length ?? 1;
  return PANEL.slice(Number(number) - 1, Number(number) < items ? Number(number) : undefined);
}
