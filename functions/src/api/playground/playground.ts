import * as z from 'zod';
import { requireByok } from '../../access/subscription';
import { FILES_MAX, MEDIA_TYPES, readAttachments } from '../../byok/attachments';
import { callsIn, callsOfRun } from '../../ensemble/estimate/calls';
import { estimator } from '../../ensemble/estimate/estimate';
import { estimateRun, type RunEstimate } from '../../ensemble/estimate/estimate-run';
import { type EnsembleResult, openEnsemble } from '../../ensemble/open-ensemble';
import type { EnsembleRequest } from '../../ensemble/run';
import { strategyFor } from '../../ensemble/strategies/strategies';
import { isRefusal, type Refusal, refuse, refuseBusy } from '../../errors';
import type { Admitted } from '../../runs/admit';
import type { DashboardDeps, UserRequest } from '../deps';
import { ensembleRequest, refuseBlind } from '../ensemble-options/ensemble-request';
import { modelField, runFields } from '../ensemble-options/run-fields';
import { messagesSchema } from '../shared/messages';
import { listOf, objectOf, optional } from '../shared/schemas';
import { admitFiles, admitOnPlayground, withUserModels } from './admit-on-playground';

const file = objectOf(
  {
    name: z.string('must be a string').min(1, 'must not be empty').max(200, 'at most 200 characters'),
    media_type: z.enum(MEDIA_TYPES, `must be one of ${MEDIA_TYPES.join(', ')}`),
    data: z.string('must be base64').min(1, 'must not be empty'),
  },
  'must be an object with name, media_type and data',
);

const EARLIER_MAX = 200;
const RUN_ID_RULE = 'must be the id of a run: 32 hexadecimal digits';
const runId = z.string(RUN_ID_RULE).regex(/^[0-9a-f]{32}$/, RUN_ID_RULE);
const thread = objectOf(
  {
    id: runId.describe('The id of its first run.'),
    earlier: listOf(runId, 'must be a list', { max: EARLIER_MAX, tooLong: `at most ${EARLIER_MAX} runs` })
      .default([])
      .describe('The runs whose answers are among the messages, oldest first.'),
  },
  'must be an object with id and earlier',
);

/** Body of a run on the playground: a chat completion with files, and router models among the models. */
export const PlaygroundRequest = objectOf({
  model: modelField.describe('Who writes the answer: a platform model, one of your router models, or a virtual id.'),
  messages: messagesSchema,
  ...runFields,
  // Not as lenient as for clients of other services: nobody is to keep by mistake what was not to be kept.
  store: z
    .boolean('must be a boolean')
    .default(true)
    .describe('Whether the run is kept, so that it can be seen again and goes on when the connection is lost.'),
  thread: optional(thread, 'The conversation that the run goes on with; absent where it begins one.'),
  attachments: optional(
    listOf(file, 'must be an array', { max: FILES_MAX, tooLong: `at most ${FILES_MAX} files` }),
    'Images for models with vision; PDF, JSON and texts become text for all.',
  ),
}).meta({ id: 'PlaygroundRequest' });

export type PlaygroundFields = z.infer<typeof PlaygroundRequest>;

export interface PlaygroundRun extends UserRequest {
  readonly fields: PlaygroundFields;
}

/** Estimate of such a run without its files: nothing is called or booked. For the same tiers. */
export async function planPlaygroundRun(deps: DashboardDeps, request: PlaygroundRun): Promise<RunEstimate | Refusal> {
  const { userId, startedAtMs } = request;
  const subscription = await requireByok(deps.store, userId);
  if (isRefusal(subscription)) return subscription;
  const ensemble = await playgroundEnsemble(deps, request);
  if (isRefusal(ensemble)) return ensemble;
  return estimateRun(ensemble, { paces: deps.answerTimes.of(userId), atMs: startedAtMs });
}

/** Admits a run. No file is read for one that could be refused without. */
export function openPlaygroundRun(
  deps: DashboardDeps,
  request: PlaygroundRun,
): Promise<Admitted<EnsembleResult> | Refusal> {
  const { userId, startedAtMs, fields } = request;
  return admitOnPlayground(deps, { ...request, endpoint: 'playground' }, async () => {
    const asked = await playgroundEnsemble(deps, request);
    if (isRefusal(asked)) return asked;
    if (fields.ai_ensemble.dryRun) {
      return refuse('invalid_request', 'Invalid ai_ensemble.dryRun: plans have a route of their own');
    }
    const open = async () => {
      const ensemble = fields.attachments?.length ? await withFiles(deps, request, asked) : asked;
      if (isRefusal(ensemble)) return ensemble;
      const opened = openEnsemble(ensemble, deps.answerTimes.of(userId));
      return { opened, platformTokens: platformTokensOf(ensemble, startedAtMs) };
    };
    return { models: [...asked.panel.participants, asked.panel.arbiter].map(({ model }) => model), open };
  });
}

/** The ensemble that is asked for, without its files. Refuses unknown router models and models without vision by name. */
async function playgroundEnsemble(
  deps: DashboardDeps,
  { id, userId, fields }: PlaygroundRun,
): Promise<EnsembleRequest | Refusal> {
  const ensemble = await withUserModels(deps, userId, (catalog) =>
    ensembleRequest({ ...deps, catalog }, { ...fields, stream: true }, id),
  );
  if (isRefusal(ensemble)) return ensemble;
  const hasImages = fields.attachments?.some(({ media_type: type }) => type.startsWith('image/')) ?? false;
  return (hasImages ? refuseBlind(ensemble.panel, 'Image attachments') : undefined) ?? ensemble;
}

/** Reads the files of an ensemble and adds them; in base64 and decoded they are paid from the memory budget meanwhile. */
async function withFiles(
  deps: DashboardDeps,
  request: PlaygroundRun,
  ensemble: EnsembleRequest,
): Promise<EnsembleRequest | Refusal> {
  const { id: requestId, userId } = request;
  const { attachments = [] } = request.fields;
  const share = deps.memory.shareOf(userId);
  try {
    if (!share.hold(2 * attachments.reduce((sum, { data }) => sum + data.length, 0))) return refuseBusy();
    const slot = await admitFiles(deps, request);
    if (isRefusal(slot)) return slot;
    const files = await readAttachments(attachments, { requestId, userId, readPdf: deps.readPdf });
    if (isRefusal(files)) return files;
    const images = [...(ensemble.images ?? []), ...files.images];
    return {
      ...ensemble,
      ...(files.text !== '' && { message: `${ensemble.message}\n\n${files.text}` }),
      ...(images.length > 0 && { images }),
    };
  } finally {
    share.release();
  }
}

/** Tokens that a run is likely to take of its user's grant. Neither a bound nor a bill: a run leases more on its way. */
function platformTokensOf(ensemble: EnsembleRequest, atMs: number): number {
  const { waves, reading, answer, followUps } = callsOfRun(ensemble, strategyFor(ensemble).calls(ensemble), atMs);
  const calls = [...callsIn([...waves, ...reading, answer]), ...followUps];
  const platform = calls.filter(({ seat }) => seat.model.provider !== 'router');
  const { promptTokens, completionTokens } = estimator(ensemble, atMs)(platform, 'usual');
  return promptTokens + completionTokens;
}
