import { createElement, type ReactNode } from 'react';
import { decodeEntities } from './decode-entities';
import { visibleText } from './visible-text';

const PIECE = /<(?<end>\/?)(?<name>[a-z]+)(?<attributes>(?: [\w:-]+ ?="[^"]*")*)(?<alone>\/?)>|(?<text>[^<]+)/g;
const ATTRIBUTE = / (?<name>[\w:-]+) ?="(?<value>[^"]*)"/g;
/** Elements that draw and do nothing else. */
const ELEMENT = /^(?:span|svg|path|line|semantics|annotation|m[a-z]+)$/;
const UNSAFE = /^(?:on|href|src|id$|xlink|xmlns)/;

/** The elements of a formula that KaTeX wrote as markup; none in it can be a link, or ask for anything. */
export function elementsOf(markup: string): ReactNode {
  const open: { readonly name: string; readonly props: object; readonly children: ReactNode[] }[] = [];
  open.push({ name: 'span', props: {}, children: [] });
  const close = (): void => {
    const { name, props, children } = open.pop() as (typeof open)[number];
    open.at(-1)?.children.push(ELEMENT.test(name) ? createElement(name, props, ...children) : children);
  };
  for (const { groups: { end, name = '', attributes = '', alone, text } = {} } of markup.matchAll(PIECE)) {
    if (text !== undefined) open.at(-1)?.children.push(visibleText(decodeEntities(text)));
    else if (!end) open.push({ name, props: propsOf(attributes), children: [] });
    if (end || alone) close();
  }
  return createElement('span', undefined, ...(open[0]?.children ?? []));
}

function propsOf(attributes: string): Record<string, unknown> {
  const props = [...attributes.matchAll(ATTRIBUTE)].flatMap(({ groups: { name = '', value = '' } = {} }) => {
    const text = decodeEntities(value);
    // The content security policy refuses attributes of styles, but not styles that a script sets.
    if (name === 'style') return [[name, styleOf(text)]];
    return UNSAFE.test(name) ? [] : [[name === 'class' ? 'className' : name, text]];
  });
  return Object.fromEntries(props);
}

function styleOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([a-z-]+):([^;]+)/g)].filter(([, , value]) => !value?.includes('url('));
  const inCamels = (name = ''): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(pairs.map(([, name, value = '']) => [inCamels(name), value]));
}
