import { textOf } from '../../prompting/json-in-reply';
import { labelsInLine } from '../../prompting/label-in-text';
import { MARKS, type ToldAnalysis } from '../../runs/trace-event';
import type { Analysis, AnalysisForm } from './analysis';
import { labelNamed, withNames } from './explanation';

/** Meaning of the labels of one reading. */
export interface LabelMeanings {
  readonly names: ReadonlyMap<string, string>;
  /** The place of a label's author among the candidates. */
  readonly candidates: ReadonlyMap<string, number>;
}

/** An analysis as programs read it: labels turned into names; undefined where it has none of these points. */
export function toldAnalysis(
  { items }: Analysis,
  { parts }: AnalysisForm,
  { names, candidates }: LabelMeanings,
): ToldAnalysis | undefined {
  const named = (text: string): string => withNames(text, names);
  const told = <P>(part: string, read: (item: PointFields) => P): P[] | undefined =>
    parts.some(({ key }) => key === part)
      ? (items[part] ?? []).map(fieldsOf).flatMap((item) => (item === undefined ? [] : read(item)))
      : undefined;
  const whole = (item: PointFields): string => named(joined(Object.values(item)));
  const lists = {
    agreed: told('agreements', whole),
    conflicts: told('conflicts', ({ why = '', ruling = '', ...about }) => ({
      about: named(joined(Object.values(about))),
      ...(why !== '' && { why: named(why) }),
      ruling: named(ruling),
    })),
    unique: told('unique', (item) => uniquePoint(item, { names, candidates })),
    dissent: told('dissent', whole),
  };
  return Object.values(lists).some((list) => list && list.length > 0) ? lists : undefined;
}

/** A point by its fields, in the order in which they were given; a mere text has one. */
type PointFields = Readonly<Record<string, string>>;

/** Fields of a point that hold a text; undefined without any. */
function fieldsOf(item: unknown): PointFields | undefined {
  const given = Object.entries<unknown>(typeof item === 'object' && item !== null ? { ...item } : { point: item });
  const texts = given.map(([field, value]) => [field, textOf(value)] as const).filter(([, text]) => text !== '');
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

function joined(texts: readonly string[]): string {
  return texts.join(' — ');
}

/** A point that one candidate makes. A label or a mark that means nothing stays in its text, as everything else. */
function uniquePoint({ label = '', mark = '', ...rest }: PointFields, { names, candidates }: LabelMeanings) {
  const [author = '', ...others] = labelsInLine(label.toUpperCase());
  const isAuthor = others.length === 0 && candidates.has(author);
  const stated = joined([isAuthor ? '' : label, ...Object.values(rest), mark].filter(Boolean));
  const [, point = stated, marked] = MARKED_POINT.exec(stated) ?? [];
  const judged = MARKS.find((each) => each === marked?.toLowerCase());
  const candidate = candidates.get(isAuthor ? author : (labelNamed(point, candidates) ?? ''));
  return {
    ...(candidate !== undefined && { candidate }),
    point: withNames(point, names),
    ...(judged && { mark: judged }),
  };
}

const MARKED_POINT = new RegExp(`^(.*?)(?: — (${MARKS.join('|')}))?$`, 'is');
