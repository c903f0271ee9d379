import type { Schema } from '../../api/client';
import { abilityWords, contextWords, priceWords } from './model-words';
import styles from './models.module.css';

const COLUMNS = ['Model', 'Context', 'Prompt', 'Completion', 'What it can'];

/** Models with what they cost and can, each a row, on a phone a card. */
export function PlatformTable({ models }: { readonly models: readonly Schema<'Model'>[] }) {
  return (
    <table className={styles.table} aria-label="Platform models">
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <Row key={model.id} model={model} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ model }: { readonly model: Schema<'Model'> }) {
  const { prompt, completion } = priceWords(model);
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{model.name}</span>
        <code>{model.id}</code>
      </th>
      <td data-label="Context">{contextWords(model.context_length)}</td>
      <td data-label="Prompt">{prompt}</td>
      <td data-label="Completion">{completion}</td>
      <td data-label="What it can">{abilityWords(model).join(' · ')}</td>
    </tr>
  );
}
