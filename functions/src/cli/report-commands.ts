import type { Command } from 'commander';
import type { Act } from '../access/act';
import { parseRange, usageBodyOf } from '../api/v1/usage';
import { isoTime } from '../lib/clock';
import { formatUsd } from '../lib/usd';
import { backUpEmbeddedStore } from '../store/embedded/backup';
import {
  ago,
  type Moment,
  type Operation,
  type Output,
  orThrow,
  type Perform,
  text,
  USER,
  UsageError,
} from './command';
import { printable, textTable } from './output';

const ACTS_MAX = 1_000;

export function addReportCommands(program: Command, perform: Perform): void {
  program
    .command('usage')
    .description('show what was used')
    .command('show')
    .description('show what a user used, by model and by key, as GET /v1/usage does')
    .requiredOption(...USER)
    .option('--start <DATE>', 'a date or Unix seconds; default: the start of this UTC month')
    .option('--end <DATE>', 'a date or Unix seconds; default: now')
    .addHelpText('after', '\nThe UTC months that the range touches count whole; they are named.')
    .action(perform(showUsage));
  program
    .command('audit')
    .description('list who did what')
    .command('list')
    .description('list who did what to whose account, newest first')
    .option(...USER)
    .option('--since <WHEN>', 'hours or days ago (12h, 30d), or a date', ago)
    .action(perform(listActs));
  program
    .command('store')
    .description('copy the embedded store')
    .command('backup')
    .description('copy the embedded store into a new file, also while servers use it')
    .requiredOption('--to <FILE>', 'a file that does not exist yet', text)
    .addHelpText('after', '\nKeep key-pepper and router-key-secret of DATA_DIR as well, apart from it.')
    .action(perform(backUp));
}

async function showUsage({
  container,
  options,
}: Operation<{ user: string; start?: string; end?: string }>): Promise<Output> {
  const { user: userId, start, end } = options;
  const range = orThrow(parseRange({ start_date: start, end_date: end }, container.clock.nowMs()));
  const data = await usageBodyOf(container, userId, range);
  return { data, text: `${printable(userId)}: ${usageText(data)}` };
}

function usageText({ data: [record] }: Awaited<ReturnType<typeof usageBodyOf>>): string {
  if (!record) return 'nothing was used in this time';
  const total = {
    REQUESTS: String(record.n_requests),
    'PROMPT TOKENS': String(record.n_context_tokens_total),
    'COMPLETION TOKENS': String(record.n_generated_tokens_total),
    COST: dollarsText(record.total_cost),
  };
  const models = record.breakdown.map((line) => ({
    CALLS: String(line.n_requests),
    'PROMPT TOKENS': String(line.n_context_tokens),
    'COMPLETION TOKENS': String(line.n_generated_tokens),
    COST: line.priced === false ? 'no price known' : dollarsText(line.cost),
    MODEL: line.model_id,
  }));
  const keys = record.apiKeyBreakdown.map((line) => ({
    REQUESTS: String(line.requests),
    TOKENS: String(line.totalTokens),
    COST: dollarsText(line.cost),
    KEY: line.keyName,
  }));
  const tables = [[total], models, keys].filter((rows) => rows.length > 0).map((rows) => textTable(rows));
  return [`the whole of ${record.months.join(', ')} (UTC)`, ...tables].join('\n\n');
}

function dollarsText(usd: number): string {
  return formatUsd(Math.round(usd * 1e9));
}

async function listActs({ container, options }: Operation<{ user?: string; since?: Moment }>): Promise<Output> {
  const { store, clock } = container;
  const user = options.user === undefined ? {} : { userId: options.user };
  const sinceMs = options.since?.(clock.nowMs()) ?? 0;
  // One more than is shown tells whether there are more.
  const acts = await store.listActs({ ...user, sinceMs, max: ACTS_MAX + 1 });
  const hasMore = acts.length > ACTS_MAX;
  const shown = acts.slice(0, ACTS_MAX);
  const data = shown.map(actView);
  const lines = [data.length > 0 ? textTable(data) : 'no acts'];
  if (hasMore) lines.push(`only the newest ${ACTS_MAX} are listed: use --user`);
  return { data: { data, has_more: hasMore }, text: lines.join('\n') };
}

function actView({ atMs, actor, name, userId: user, target, details }: Act) {
  return { at: isoTime(atMs), actor, act: name, target, user, details };
}

async function backUp({ container: { config }, options }: Operation<{ to: string }>): Promise<Output> {
  const file = options.to;
  if (config.store !== 'embedded') throw new UsageError('store backup copies the embedded store only: docs/deploy.md');
  const pages = await backUpEmbeddedStore(config.dataDirectory, file);
  const text = `${printable(file)}: ${pages} pages. Keep key-pepper and router-key-secret apart from it`;
  return { data: { file, pages }, text };
}
