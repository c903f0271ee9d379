import type { ProviderCall } from '../../models/model';
import { fieldsOf } from '../transport/reply-fields';
import { authorsTexts } from './demo-prompt';
import { authorOf, isRevised, type Script, scriptIn } from './demo-scripts';
import { type Topic, VOICES } from './topics/topics';

/** The labels of texts from best to worst: the topic's best voice first, then the others in their usual order. */
export function rankedLabels(texts: readonly (readonly [label: string, text: string])[], topic: Topic): string[] {
  const order = VOICES.toSorted((a, b) => Number(b === topic.best) - Number(a === topic.best));
  const place = (text: string): number => {
    const author = authorOf(text, topic);
    return author === undefined ? order.length : order.indexOf(author);
  };
  return texts.toSorted(([, a], [, b]) => place(a) - place(b)).map(([label]) => label);
}

/** The parts that the schema asks for; those without a row here are empty. */
export function analysis(call: ProviderCall, topic: Topic): object {
  const texts = authorsTexts(call);
  const known = texts.flatMap(([label, text]): KnownText[] => {
    const script = scriptIn(text, topic);
    return script ? [{ label, script, isFixed: isRevised(text, topic) }] : [];
  });
  const order = rankedLabels(texts, topic);
  const asked = Object.keys(fieldsOf(call.outputSchema?.schema?.['properties']));
  const pointOf = ({ label, script }: KnownText): string => `${label}: ${plain(script.point)}`;
  const best = known.find(({ label }) => label === order[0]);
  const lastStepOf = ({ label, script }: KnownText): string => `${label}: ${plain(script.steps.at(-1) ?? '')}`;
  const others = known.filter((one) => one !== best);
  // A side of a debate has one letter.
  const otherSide = known.filter(({ label }) => label[0] !== order[0]?.[0]);
  const dissent = others.flatMap(({ label, script }) => (script.dissent ? [`${label}: ${script.dissent}`] : []));
  const parts: Readonly<Record<string, unknown>> = {
    winner: order[0] ?? '',
    order,
    agreements: topic.agreed,
    conflicts: [{ point: topic.conflict.point, why: plain(best?.script.point ?? ''), ruling: topic.conflict.ruling }],
    unique: known.map((one) => ({ point: lastStepOf(one), mark: one === best ? 'confirmed' : 'plausible' })),
    missing: asked.includes('residual') ? [] : [topic.open],
    provenance: known.map(pointOf),
    dissent: asked.includes('decisive') ? otherSide.map(pointOf) : dissent,
    decisive: [topic.conflict.ruling],
    fixed: known.flatMap(({ label, script, isFixed }) => (isFixed ? [`${label}: ${script.flaw}`] : [])),
    residual: [topic.open],
    met: topic.checks,
    rationale: topic.rationale,
  };
  return Object.fromEntries(asked.map((key) => [key, parts[key] ?? []]));
}

/** A text that the demo models know. */
interface KnownText {
  readonly label: string;
  readonly script: Script;
  readonly isFixed: boolean;
}

/** Without emphasis and bullet. */
function plain(text: string): string {
  return text.replaceAll(/\*+|^- /g, '');
}
