import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../src');
/** Functions that a module which takes texts apart cannot do without. */
const TAKES_APART =
  /\.(?:split|replace|replaceAll|match|matchAll|indexOf|lastIndexOf|normalize|trim|trimEnd|exec|test|search|regex)\(|JSON\.parse|new RegExp|createParser|Date\.parse/;

/** Modules that take texts apart and need not be timed, by the reason; `store/` stands for all in it. */
const REASONS: Readonly<Record<string, string>> = {
  'reads settings and the operator’s words': `
    config.ts env-files.ts providers/transport/proxies.ts api/dashboard/dashboard-settings.ts
    billing/stripe.ts lib/settings-reader.ts cli/command.ts cli/program.ts cli/key-commands.ts cli/main.ts
    cli/doctor.ts cli/seed.ts cli/speakers.ts cli/demo-user.ts
    telemetry/telemetry-module.ts models/base-url.ts models/model-overrides.ts byok/secret-box.ts access/keys.ts
    access/key-limits.ts access/peppers.ts lib/usd.ts models/model-policy.ts
  `,
  'takes apart what the service itself has written': `
    http/event-stream.ts evaluation/open-evaluation.ts api/openapi/document.ts providers/transport/long-texts.ts
    ensemble/arbiter/conclude.ts ensemble/strategies/chain-of-thought/chain-of-thought.ts
    ensemble/strategies/collaborative-synthesis.ts ensemble/waves/drafts.ts
    ensemble/strategies/expert-panel/expert-panel.ts api/mcp/mcp.ts api/mcp/mcp-call.ts ledger/idempotency.ts lib/packed.ts models/model-fault.ts
    runs/kept-runs.ts api/dashboard/shared-runs.ts api/dashboard/evaluations.ts api/shared/operation.ts evaluation/scoring.ts access/budget.ts store/
  `,
  'holds a text to one bounded pattern without alternatives, or trims it': `
    api/anthropic/messages.ts api/anthropic/conversation.ts
    api/ensemble-options/tool-offer.ts api/answer/answer-as-call.ts providers/openai/openai.ts
    evaluation/conclude.ts
    ensemble/strategies/hierarchical/hierarchical.ts ensemble/strategies/debate-tournament/verdict.ts
    providers/anthropic/anthropic.ts http/app.ts http/behind-framework.ts telemetry/request-trace.ts
    ensemble/waves/mark-filter.ts models/gateway/reply.ts http/idempotent-route.ts evaluation/judge-call.ts
    api/playground/playground.ts api/mcp/ask.ts api/mcp/fields.ts api/shared/schemas.ts byok/router.ts api/dashboard/run-rating.ts api/dashboard/presets.ts
  `,
  'is read with by readers that are timed': `
    api/ensemble-options/ensemble-options.ts api/shared/messages.ts api/shared/message-parts.ts ensemble/arbiter/write-answer.ts
    lib/log-text.ts prompting/compatibility-form.ts providers/transport/reply-fields.ts
    providers/demo/demo-form.ts providers/demo/demo-prompt.ts ensemble/strategies/auto/first-drafts.ts
  `,
  'reads a beginning of bounded length': `
    models/images.ts
    ensemble/checks/language-rule.ts ensemble/strategies/agent/advisers.ts ensemble/strategies/agent/review.ts
    api/dashboard/keys.ts api/dashboard/requests.ts
  `,
  'looks for bounded patterns in the id of a model': 'models/prompt-caches.ts',
  'parts names of ours at its start': 'providers/openai/openai-usage.ts',
  'reads the name of a coding in a header, of bounded length':
    'providers/transport/upstream-request.ts http/static-reply.ts',
  'reads the operator’s words when a server starts': 'cli/base-url-probe.ts',
  'reads one reply, of bounded length, when a key is saved': 'providers/openai/router-key-check.ts',
  'parses JSON within the limits that `lib/json.ts` has checked': 'http/body.ts',
  'parts a reply of ours into words': 'providers/demo/demo.ts',
  'looks for the place of the text in a chunk of ours, once a stream': 'api/answer/chunks.ts',
  'reads in a thread of its own, which is ended at a limit of time': 'byok/pdf-text.ts',
};

const NOT_TIMED: readonly string[] = Object.values(REASONS).flatMap((modules) => modules.trim().split(/\s+/));

it('every module that takes texts apart is timed, or says why it need not be', () => {
  const modules = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('.test.ts'));
  const taking = modules.filter((file) => TAKES_APART.test(readFileSync(join(SOURCES, file), 'utf8')));
  const tables = globSync('readers/*.ts', { cwd: __dirname }).map((file) =>
    readFileSync(join(__dirname, file), 'utf8'),
  );
  const timed = tables.flatMap((table) => [
    ...table.matchAll(/^(?:import|\}) (?!type)[^;]*? from '\.\.\/\.\.\/\.\.\/src\/(.*)';$/gm),
  ]);
  const known = [...timed.map(([, module]) => `${module}.ts`), ...NOT_TIMED];
  const isKnown = (file: string) => known.some((one) => file === one || (one.endsWith('/') && file.startsWith(one)));
  expect(taking.filter((file) => !isKnown(file))).toEqual([]);
  expect(NOT_TIMED.filter((one) => !modules.some((file) => file.startsWith(one)))).toEqual([]);
});
