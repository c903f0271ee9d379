import { Button } from '../../ui/button';
import { Panel } from '../../ui/page';
import type { MeasureId } from './measure';
import { monthWords } from './month-words';
import { type Column, SortedTable } from './sorted-table';
import { sumsColumns } from './usage-columns';
import { addUpLines, type Month, type UsageLine } from './usage-lines';
import styles from './usage-table.module.css';
import type { Division } from './usage-view';

interface UsageTableProps {
  /** One month, or all of the range. */
  readonly months: readonly Month[];
  readonly by: Division;
  readonly show: MeasureId;
  /** Asks for all months again. */
  readonly onWhole: () => void;
}

const HEADS = { model: 'Model', key: 'Key' } as const;
const FIRST_SORT = { cost: 'cost', tokens: 'completionTokens', requests: 'requests' } as const;

/** Each model or key, the small ones as well: the figures of the bars. */
export function UsageTable({ months, by, show, onWhole }: UsageTableProps) {
  const [first] = months;
  const isOne = months.length === 1 && first;
  const period = isOne ? `in ${monthWords(first.month)}${first.unfinished ? ', so far' : ''}` : 'in all months';
  const columns: Column<UsageLine>[] = [
    { id: 'name', label: HEADS[by], of: ({ name }) => name, cell: (line) => <NameCell line={line} /> },
    ...sumsColumns<UsageLine>(({ gap }) => gap, by === 'model' ? 'Calls' : 'Requests'),
  ];
  return (
    <Panel>
      <SortedTable
        key={`${by} ${show}`}
        caption={
          <span className={styles.caption}>
            {HEADS[by]}s {period}
            {isOne && (
              <Button kind="quiet" onPress={onWhole}>
                Show all months
              </Button>
            )}
          </span>
        }
        columns={columns}
        rows={addUpLines(months, by)}
        idOf={({ id }) => id}
        sortedBy={FIRST_SORT[show]}
      />
    </Panel>
  );
}

/** Names may repeat, ids do not. */
function NameCell({ line: { id, name } }: { readonly line: UsageLine }) {
  return (
    <>
      {name}
      {id !== name && <code className={styles.id}>{id}</code>}
    </>
  );
}
