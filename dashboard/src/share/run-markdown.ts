import { strategyLabel } from '../pages/play/setup/strategies';
import { attemptOf, PURPOSES } from '../run/call-words';
import type { Spend } from '../run/run-events';
import type { Call, RunState } from '../run/run-state';
import { seatName } from '../run/seat-name';
import { labelOf } from '../run/seat-words';
import { usedText } from '../run/used-text';
import { firstWords } from '../text/first-words';
import { count, usdOfNano } from '../ui/format-number';

const TITLE_CHARACTERS = 80;
const COST_HEAD = ['| Model | Step | Tokens read | Tokens written | Cost |', '|:--|:--|--:|--:|--:|'];

type Sums = Pick<Spend, 'promptTokens' | 'completionTokens'> & { readonly cost: string };

/** A run as Markdown: what was asked, what each participant wrote, the answer and why, and what each call cost. */
export function runMarkdown(state: RunState, prompt: string): string {
  const { run, answer, verdict, end, spent } = state;
  const calls = [...state.calls.values()];
  const drafts = calls.filter(({ seat }) => run?.participants.some((one) => one.seat === seatName(seat)));
  const rows = calls.map((call) => costRow(labelOf(state, call.seat), stepOf(call), sumOf(call)));
  const total = `${usdOfNano(spent.costNanoUsd)}${end?.unpricedModels?.length ? ', some not priced' : ''}`;
  const parts = [
    `# ${firstWords(prompt, TITLE_CHARACTERS)}`,
    run && `${strategyLabel(run.strategy)}, ${new Date(run.startedAtMs).toISOString()}`,
    `## Prompt\n\n${prompt}`,
    drafts.length > 0 && '## Drafts',
    ...drafts.map((call) => `### ${labelOf(state, call.seat)}: ${stepOf(call)}\n\n${textOf(state, call)}`),
    `## Answer\n\n${answer || end?.message || 'None.'}`,
    verdict?.explanation && `## Why\n\n${verdict.explanation}`,
    `## Cost\n\n${[...COST_HEAD, ...rows, costRow('All', '', { ...spent, cost: total })].join('\n')}`,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function stepOf({ purpose, round }: Call): string {
  return `${PURPOSES[purpose]}${round > 0 ? `, round ${round}` : ''}`;
}

function textOf(state: RunState, call: Call): string {
  return usedText(state, call.id) || `Nothing: ${attemptOf(call)?.reason ?? 'it wrote no text'}.`;
}

function sumOf({ attempts }: Call): Sums {
  const spends = attempts.flatMap(({ spend }) => spend ?? []);
  const sum = (part: 'promptTokens' | 'completionTokens' | 'costNanoUsd'): number =>
    spends.reduce((total, spend) => total + spend[part], 0);
  const isPriced = spends.every(({ priced }) => priced);
  return {
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    cost: isPriced ? usdOfNano(sum('costNanoUsd')) : 'not priced',
  };
}

function costRow(label: string, step: string, { promptTokens, completionTokens, cost }: Sums): string {
  const cells = [label.replaceAll('|', '\\|'), step, count(promptTokens), count(completionTokens), cost];
  return `| ${cells.join(' | ')} |`;
}
