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

type Sums = Pick<Spend, 'promptTokens' | 'completionTokens' | 'costNanoUsd'>;

/** A run as Markdown: what was asked, what each participant wrote, the answer and why, and what each call cost. */
export function runMarkdown(state: RunState, prompt: string): string {
  const { run, answer, verdict, end, spent } = state;
  const calls = [...state.calls.values()];
  const drafts = calls.filter(({ seat }) => run?.participants.some((one) => one.seat === seatName(seat)));
  const rows = calls.map((call) => costRow(labelOf(state, call.seat), stepOf(call), sumOf(call)));
  const parts = [
    `# ${firstWords(prompt, TITLE_CHARACTERS)}`,
    run && `${run.strategy}, ${new Date(run.startedAtMs).toISOString()}`,
    `## Prompt\n\n${prompt}`,
    drafts.length > 0 && '## Drafts',
    ...drafts.map((call) => `### ${labelOf(state, call.seat)}: ${stepOf(call)}\n\n${textOf(state, call)}`),
    `## Answer\n\n${answer || end?.message || 'None.'}`,
    verdict?.explanation && `## Why\n\n${verdict.explanation}`,
    `## Cost\n\n${[...COST_HEAD, ...rows, costRow('All', '', spent)].join('\n')}`,
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
  const sum = (part: keyof Sums): number => attempts.reduce((total, { spend }) => total + (spend?.[part] ?? 0), 0);
  return {
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    costNanoUsd: sum('costNanoUsd'),
  };
}

function costRow(label: string, step: string, { promptTokens, completionTokens, costNanoUsd }: Sums): string {
  const cells = [label.replaceAll('|', '\\|'), step, count(promptTokens), count(completionTokens)];
  return `| ${[...cells, usdOfNano(costNanoUsd)].join(' | ')} |`;
}
