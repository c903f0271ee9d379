import { wordCount } from '../../text/first-words';
import { DataCell, DataTable } from '../../ui/data-table';
import { count, usdOfNano } from '../../ui/format-number';
import { MS_A_SECOND } from '../../ui/time-units';
import { costTimes } from './cost-times';
import { type Compared, isOver } from './use-comparison';

const HEADS = {
  name: { label: 'Set-up' },
  cost: { label: 'Cost', isNumber: true },
  times: { label: 'Against the cheapest', isNumber: true },
  time: { label: 'Time', isNumber: true },
  calls: { label: 'Calls', isNumber: true },
  tokens: { label: 'Tokens', isNumber: true },
  words: { label: 'Words', isNumber: true },
};

/** The cost and time of each run; of those that go on, nothing yet. */
export function CompareTable({ compared }: { readonly compared: readonly Compared[] }) {
  const rows = compared.map((one) => ({ name: one.name, state: isOver(one) ? one.store.shown() : undefined }));
  const costs = rows.map(({ state }) => state?.end?.costNanoUsd);
  return (
    <DataTable name="What they took" heads={Object.values(HEADS)}>
      {rows.map(({ name, state }, at) => {
        const end = state?.end;
        return (
          <tr key={name}>
            <th scope="row">{name}</th>
            <DataCell of={HEADS.cost}>{end ? costWords(end) : '…'}</DataCell>
            <DataCell of={HEADS.times}>{costTimes(costs, at) ?? '…'}</DataCell>
            <DataCell of={HEADS.time}>{end ? `${(end.atMs / MS_A_SECOND).toFixed(1)} s` : '…'}</DataCell>
            <DataCell of={HEADS.calls}>{end ? count(end.calls) : '…'}</DataCell>
            <DataCell of={HEADS.tokens}>{end ? count(end.promptTokens + end.completionTokens) : '…'}</DataCell>
            <DataCell of={HEADS.words}>{state ? count(wordCount(state.answer)) : '…'}</DataCell>
          </tr>
        );
      })}
    </DataTable>
  );
}

function costWords(end: { readonly costNanoUsd: number; readonly unpricedModels: readonly string[] }): string {
  if (end.costNanoUsd === 0 && end.unpricedModels.length > 0) return 'not priced';
  const priced = usdOfNano(end.costNanoUsd);
  return end.unpricedModels.length > 0 ? `${priced} and what is not priced` : priced;
}
