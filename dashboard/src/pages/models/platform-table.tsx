import type { Schema } from '../../api/client';
import { DataCell, DataTable } from '../../ui/data-table';
import { abilityWords, contextWords, priceWords } from './model-words';
import styles from './models.module.css';

const HEADS = {
  model: { label: 'Model' },
  context: { label: 'Context', isNumber: true },
  prompt: { label: 'Prompt', isNumber: true },
  completion: { label: 'Completion', isNumber: true },
  abilities: { label: 'Capabilities' },
};

/** Models with what they cost and can. */
export function PlatformTable({ models }: { readonly models: readonly Schema<'Model'>[] }) {
  return (
    <DataTable name="Platform models" heads={Object.values(HEADS)}>
      {models.map((model) => (
        <Row key={model.id} model={model} />
      ))}
    </DataTable>
  );
}

function Row({ model }: { readonly model: Schema<'Model'> }) {
  const { prompt, completion } = priceWords(model);
  return (
    <tr>
      <th scope="row" className={styles.names}>
        <span className={styles.name}>{model.name}</span>
        {model.name !== model.id && <code>{model.id}</code>}
      </th>
      <DataCell of={HEADS.context}>{contextWords(model.context_length)}</DataCell>
      <DataCell of={HEADS.prompt}>{prompt}</DataCell>
      <DataCell of={HEADS.completion}>{completion}</DataCell>
      <DataCell of={HEADS.abilities}>{abilityWords(model).join(' · ')}</DataCell>
    </tr>
  );
}
