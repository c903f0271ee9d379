import { ENDPOINT_NAMES } from '../../access/key-store';
import type { JsonSchema } from '../schema-notes';
import { amount, count, type Fields, flag, list, mapOf, orNull, ref, shape, text } from './shapes';
import { STUDY_REPLY } from './study-reply';

const moment = (description: string): JsonSchema => text(description, { format: 'date-time' });
const spent = amount('This month, in US dollars, with what is set aside for requests under way.');

const KEY: Fields = {
  id: text('What names it here.'),
  name: text('What its owner calls it.'),
  prefix: text('How it begins.'),
  last4: text('How it ends.'),
  state: text('`rotating`: works until `expiresAt`, and `replacedBy` has taken over.', {
    enum: ['active', 'rotating', 'expired', 'inactive', 'revoked'],
  }),
  createdAt: moment('When it was made.'),
  lastUsedAt: orNull(moment('When a request last came with it, to within a minute.')),
  expiresAt: orNull(moment('When it ends.')),
  replacedBy: orNull(text('The id of the key that took over.')),
  spentUsd: spent,
};
const KEY_LIMITS: Fields = {
  models: list({ type: 'string' }, 'The models it may use.'),
  endpoints: list({ type: 'string', enum: ENDPOINT_NAMES }, 'The endpoints it may use.'),
  requestsPerMinute: count('Below the limit of its user.'),
  budgetUsd: amount('What it may spend in a month.'),
};

const SUMS: Fields = {
  requests: count('Of a model: calls that consumed something.'),
  promptTokens: count('Prompt tokens.'),
  completionTokens: count('Completion tokens.'),
  costUsd: amount('In US dollars.'),
};
const COSTLESS: Fields = {
  priced: { type: 'boolean', const: false, description: 'No price was known for its calls.' },
  billedBy: text('Its cost is not known here, for the model router bills it.', { enum: ['router'] }),
};
const LINE: Fields = { id: text('The id.'), name: text('The display name.'), ...SUMS };

const ROUTER_MODEL: Fields = {
  slug: text('`owner/model`.'),
  name: text('The display name.'),
  contextTokens: orNull(count('The context window, when known.')),
  vision: flag('Whether it takes images.'),
  tools: flag('Whether it can call tools.'),
};

const RUN_SUMMARY = {
  id: text('32 hexadecimal digits, the `x-request-id` of the request that began it.'),
  startedAtMs: count('Unix milliseconds.'),
  endpoint: text('Where it was begun: `playground`, `chat.completions` or `responses`.'),
  prompt: text('The beginning of the prompt, at most 200 characters.'),
  strategy: text("A strategy's name, or `pass_through`; empty until the run has begun."),
  rounds: count('As asked for.'),
  models: list({ type: 'string' }, 'The labels of the participants and of the arbiter.'),
  state: text('How it stands.', { enum: ['running', 'complete', 'stopped', 'failed'] }),
  promptTokens: count('Of all calls that are over.'),
  completionTokens: count('Likewise.'),
  costNanoUsd: count('Likewise, in billionths of a US dollar.'),
  calls: count('Attempts at models that are over.'),
  durationMs: count('Until its end, or until now.'),
};
const RUN_MESSAGE = { message: text('Why it failed.') };

/** The replies of the dashboard's routes. */
export const ACCOUNT_REPLIES: Readonly<Record<string, JsonSchema>> = {
  DashboardConfig: shape(
    {
      mode: text('How users sign in: with Firebase, or, on a machine of their own, not at all.', {
        enum: ['embedded', 'firebase'],
      }),
    },
    {
      apiBaseUrl: text("The base URL for programs, ending in `/v1`. Absent: `/v1` of the page's own origin."),
      firebase: shape(
        { apiKey: text('Names the project to Firebase; no secret.') },
        {
          authDomain: text('Where sign-in pages come from.'),
          projectId: text('The project.'),
          appId: text('The web app.'),
        },
        'The Firebase app of the page. Absent: as Firebase Hosting tells it at `/__/firebase/init.json`.',
      ),
      appCheckSiteKey: text('Of reCAPTCHA Enterprise. Set: requests must carry a token of App Check.'),
      authEmulatorUrl: text('Where the emulator of Firebase Auth is, instead of Firebase itself.'),
    },
  ),
  KeyList: shape({
    keys: list(ref('Key'), 'Newest first.'),
    liveMax: count('Keys that may be live at a time, beside as many that are `rotating`.'),
  }),
  Key: shape(KEY, KEY_LIMITS),
  CreatedKey: shape({ ...KEY, key: text('The key itself. It is stored nowhere.') }, KEY_LIMITS),
  AccountPlan: shape(
    {
      userId: text('Who is signed in.'),
      tier: orNull(text('What was subscribed to.')),
      status: orNull(text('`active` and `trialing` count.')),
      renewsAt: orNull(moment('When it goes on by itself, where that is known.')),
      endsAt: orNull(moment('When it ends, or has ended: it was cancelled.')),
      trialEndsAt: orNull(moment('When the trial ends.')),
      allows: shape({ api: flag('Keys and the API.'), routerModels: flag('Models of the router.') }),
      requestsPerMinute: shape({ api: count('With keys.'), routerModels: count('Runs with models of the router.') }),
      spentUsd: spent,
      grant: shape({
        tokens: count('Tokens of platform models in a month, beside models of the router.'),
        usedTokens: count('Those used.'),
        leasedTokens: count('Those set aside for runs under way.'),
      }),
      monthEndsAt: moment('When budgets and grant begin anew.'),
    },
    { budgetUsd: amount('What the user may spend in a month.') },
  ),
  StudyReply: STUDY_REPLY,
  MonthList: shape({ months: list(ref('Month'), 'Oldest first, months without use as well.') }),
  Month: shape(
    {
      month: text('UTC, `YYYY-MM`.'),
      ...SUMS,
      models: list(shape(LINE, COSTLESS), 'By model.'),
      keys: list(
        shape(LINE, {
          ...COSTLESS,
          costKnown: {
            type: 'boolean',
            const: false,
            description:
              'It cost nothing; the month has several reasons for that, and which of them is that of the key is not kept.',
          },
        }),
        'By key.',
      ),
    },
    { unfinished: { type: 'boolean', const: true, description: 'It is this month.' } },
  ),
  RouterKey: shape({
    saved: {
      anyOf: [shape({ last4: text('How it ends.'), savedAt: moment('When it was saved.') }), { type: 'null' }],
      description: 'Null where none is saved.',
    },
  }),
  RouterModelList: shape({
    models: list(shape({ ...ROUTER_MODEL, addedAt: moment('When it was added.') }), 'In the order added.'),
    max: count('How many may be added.'),
  }),
  RouterCatalog: shape({ models: list(shape(ROUTER_MODEL), 'At most 50, by slug.') }),
  PlatformModels: shape({
    models: list(ref('Model'), 'As the API lists them.'),
    suggestions: shape(
      {
        prompts: list({ type: 'string' }, 'About a dozen.'),
        participants: list({ type: 'string' }, 'Ids of models.'),
        arbiter: text('The id of a model.'),
        scripted: flag('Whether all of them follow a script.'),
      },
      { graceSeconds: amount('How long those who lag are to be waited for, where that is to be seen.') },
      'What a first run may be tried with.',
    ),
  }),
  RunSummary: shape(RUN_SUMMARY, RUN_MESSAGE, 'A run that is kept.'),
  RunList: shape(
    { data: list(ref('RunSummary'), 'Newest first.') },
    { next: text('As `before` it leads to what follows, where there is more.') },
  ),
  KeptRun: shape(
    {
      ...RUN_SUMMARY,
      evaluationCount: count('How many evaluations are kept with it.'),
    },
    {
      ...RUN_MESSAGE,
      request: mapOf({}, 'The body as it was sent; of files the name, the media type and how many bytes they had.'),
    },
  ),
  KeptEvaluations: shape(
    { data: list(ref('EvaluationList'), 'Oldest first; `response` is the SHA-256 of the judged text, in hex.') },
    { next: count('The `from` of what follows; absent where this part is empty.') },
  ),
  RunStopped: shape({ id: text('The id of the run.'), state: RUN_SUMMARY.state }),
  RunsDeleted: shape({ deleted: count('How many there were.') }),
  SessionsEnded: shape({ endedAt: moment('When they were ended.') }),
  ActList: shape({ acts: list(ref('Act'), 'Newest first.') }),
  Act: shape({
    id: text('The id of the act.'),
    at: moment('When it was done.'),
    by: text('Who did it.', { enum: ['cli', 'user', 'system'] }),
    what: text('What was done, such as `keys.create`.'),
    target: orNull(text('What it was done to, such as the id of a key.')),
    network: orNull(text('The network that the request came from, such as `203.0.113.0/24`.')),
    details: {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'null'] },
      description: 'What a reader would ask next.',
    },
  }),
};
