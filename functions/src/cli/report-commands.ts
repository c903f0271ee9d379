import type { Command } from 'commander';
import type { Act } from '../access/act';
import { parseRange, usageBodyOf } from '../api/v1/usage';
import { isoTime } from '../lib/clock';
import { formatUsd } from '../lib/usd';
import type { Services } from '../services';
import { backUpEmbeddedStore } from '../store/embedded/database';
import { ago, firstRows, type Moment, type Output, orThrow, type Perform, text, USER, UsageError } from './command';
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

async function showUsage(
  services: Services,
  { user, start, end }: { user: string; start?: string; end?: string },
): Promise<Output> {
  const range = orThrow(parseRange({ start_date: start, end_date: end }, services.clock.nowMs()));
  const data = await usageBodyOf(services, user, range);
  return { data, text: `${printable(user)}: ${usageText(data)}` };
}

function usageText({ data: [record] }: Awaited<ReturnType<typeof usageBodyOf>>): string {
  if (!record) return 'nothing was used in this time';
  const total = {
    REQUESTS: record.n_requests,
    'PROMPT TOKENS': record.n_context_tokens_total,
    'COMPLETION TOKENS': record.n_generated_tokens_total,
    COST: dollarsText(record.total_cost),
  };
  const models = record.breakdown.map((line) => ({
    CALLS: line.n_requests,
    'PROMPT TOKENS': line.n_context_tokens,
    'COMPLETION TOKENS': line.n_generated_tokens,
    COST: line.priced === false ? 'no price known' : dollarsText(line.cost),
    MODEL: line.model_id,
  }));
  const keys = record.apiKeyBreakdown.map(({ requests, totalTokens, cost, keyName }) => ({
    ...{ REQUESTS: requests, TOKENS: totalTokens, COST: dollarsText(cost), KEY: keyName },
  }));
  const tables = [[total], models, keys].filter((rows) => rows.length > 0).map(textTable);
  return [`the whole of ${record.months.join(', ')} (UTC)`, ...tables].join('\n\n');
}

function dollarsText(usd: number): string {
  return formatUsd(Math.round(usd * 1e9));
}

async function listActs({ store, clock }: Services, options: { user?: string; since?: Moment }): Promise<Output> {
  const user = options.user === undefined ? {} : { userId: options.user };
  const sinceMs = options.since?.(clock.nowMs()) ?? 0;
  const acts = await store.listActs({ ...user, sinceMs, max: ACTS_MAX + 1 });
  const words = { none: 'no acts', more: `only the newest ${ACTS_MAX} are listed: use --user` };
  return firstRows(acts.map(actView), ACTS_MAX, words);
}

function actView({ atMs, actor, name, userId: user, target, details }: Act) {
  return { at: isoTime(atMs), actor, act: name, target, user, details };
}

async function backUp({ config }: Services, { to: file }: { to: string }): Promise<Output> {
  if (config.store !== 'embedded') throw new UsageError('store backup copies the embedded store only: docs/deploy.md');
  const pages = await backUpEmbeddedStore(config.dataDirectory, file);
  const words = `${printable(file)}: ${pages} pages. Keep key-pepper and router-key-secret apart from it`;
  return { data: { file, pages }, text: words };
}
