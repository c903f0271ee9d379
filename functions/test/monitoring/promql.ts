import { parser } from '@prometheus-io/lezer-promql';

/** A metric that an expression asks for, with the labels that it is selected or grouped by. */
export interface Asked {
  readonly metric: string;
  readonly matched: Readonly<Record<string, string>>;
}

/** What a PromQL expression asks for, read by Prometheus's own grammar. Throws where the expression is none. */
export function readPromql(query: string): { readonly asked: readonly Asked[]; readonly grouped: readonly string[] } {
  const asked: { metric: string; matched: Record<string, string> }[] = [];
  const grouped: string[] = [];
  let label = '';
  const read: Readonly<Record<string, (text: string, parent: string | undefined) => void>> = {
    VectorSelector: () => void asked.push({ metric: '', matched: {} }),
    Identifier: (text) => void Object.assign(asked.at(-1) ?? {}, { metric: text }),
    LabelName: (text, parent) => {
      if (parent === 'GroupingLabels') grouped.push(text);
      else label = text;
    },
    StringLiteral: (text) => void Object.assign(asked.at(-1)?.matched ?? {}, { [label]: JSON.parse(text) }),
  };
  parser.parse(query).iterate({
    enter: ({ name, type, from, to, node }) => {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${query}`);
      read[name]?.(query.slice(from, to), node.parent?.name);
    },
  });
  return { asked, grouped };
}
