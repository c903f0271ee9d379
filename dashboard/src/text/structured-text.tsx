import type { ReactNode } from 'react';
import styles from './structured-text.module.css';
import { visibleText } from './visible-text';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The JSON of a text, a list or fields; undefined where it is of another kind. */
export function readStructure(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const DEPTH_MAX = 6;

/** JSON in a form that people read: the names of its fields beside what they hold. */
export function StructuredText({ value, depth = 0 }: { readonly value: Json; readonly depth?: number }): ReactNode {
  if (value === null || typeof value !== 'object') return <span dir="auto">{visibleText(wordsOf(value))}</span>;
  if (depth >= DEPTH_MAX) return <code>{visibleText(JSON.stringify(value))}</code>;
  if (Array.isArray(value))
    return (
      <ol className={styles.list}>
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place
          <li key={index}>
            <StructuredText value={item} depth={depth + 1} />
          </li>
        ))}
      </ol>
    );
  return (
    <dl className={styles.fields}>
      {Object.entries(value).map(([name, part]) => (
        <div key={name}>
          <dt>{visibleText(title(name))}</dt>
          <dd>
            <StructuredText value={part} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function wordsOf(value: string | number | boolean | null): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function title(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
