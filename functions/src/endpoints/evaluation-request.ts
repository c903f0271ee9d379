import * as z from 'zod';
import {
  EVALUATION_STRATEGIES,
  type EvaluationRequest,
  type Judge,
  type JudgedResponse,
} from '../evaluation/evaluation';
import { ROLE_NAMES, type RoleName } from '../evaluation/roles';
import type { Catalog } from '../models/catalog';

/** Ids and names come back in the reply, names once for every response: no real one is longer. */
const NAME_CHARACTERS_MAX = 200;
const NAME_RULE = `must be a non-empty string of at most ${NAME_CHARACTERS_MAX} characters`;

/** What is wrong: the field and its rule. */
class Flaw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const invalid = (text: string): string => `Invalid request: ${text}`;
const PROMPT_RULE = invalid('prompt is required and must be a non-empty string');
const STRATEGY_RULE = invalid(`strategy must be one of ${EVALUATION_STRATEGIES.join(', ')}`);

/**
 * The body of an evaluation request (spec "EvaluationRequest"); null means absent, unknown fields are ignored. Lists are
 * read by hand and only up to the first flaw: a schema library collects an issue for each of a million bad elements.
 */
export const evaluationRequestSchema = (catalog: Catalog) =>
  z
    .object({
      prompt: z.string(PROMPT_RULE).regex(/\S/, PROMPT_RULE),
      responses: listOf('responses', readResponse),
      judge_models: listOf('judge_models', judgeReader(catalog)),
      strategy: z.enum(EVALUATION_STRATEGIES, STRATEGY_RULE).optional(),
      evaluation_mode: z.unknown().optional(),
      weighted: z.boolean(invalid('weighted must be a boolean')).optional(),
    })
    .transform(
      (body): EvaluationRequest => ({
        prompt: body.prompt,
        responses: body.responses,
        judges: body.judge_models,
        strategy: body.strategy ?? 'standard',
        mode: body.evaluation_mode === 'pointwise' ? 'pointwise' : 'standard',
        weighted: body.weighted ?? false,
        canonicalId: (name) => catalog.modelIdOfName(name).toLowerCase(),
      }),
    );

type Fields = Readonly<Record<string, unknown>>;

function listOf<T>(name: string, read: (fields: Fields, place: Place) => T | Flaw) {
  return z.unknown().transform((value, context): readonly T[] => {
    const list = readList(value, { name, read });
    if (!(list instanceof Flaw)) return list;
    context.addIssue({ code: 'custom', message: invalid(list.text) });
    return z.NEVER;
  });
}

/** Where in the request an element stands. */
interface Place {
  readonly index: number;
  /** `responses[2]` */
  readonly path: string;
}

interface ListReader<T> {
  readonly name: string;
  readonly read: (fields: Fields, place: Place) => T | Flaw;
}

function readList<T>(value: unknown, { name, read }: ListReader<T>): T[] | Flaw {
  if (!Array.isArray(value) || value.length === 0) return new Flaw(`${name} is required and must be a non-empty array`);
  const list: T[] = [];
  for (const [index, element] of value.entries()) {
    const path = `${name}[${index}]`;
    if (typeof element !== 'object' || element === null || Array.isArray(element)) {
      return new Flaw(`${path} must be an object`);
    }
    const item = read(element as Fields, { index, path });
    if (item instanceof Flaw) return item;
    list.push(item);
  }
  return list;
}

function readResponse(fields: Fields, { path }: Place): JudgedResponse | Flaw {
  const { modelId, modelName, response, role } = fields;
  if (!isName(modelId)) return new Flaw(`${path}.modelId ${NAME_RULE}`);
  if (!isName(modelName)) return new Flaw(`${path}.modelName ${NAME_RULE}`);
  if (typeof response !== 'string' || response === '') return new Flaw(`${path}.response must be a non-empty string`);
  if (role === undefined || role === null) return { modelId, modelName, response };
  const known = ROLE_NAMES.find((name): name is RoleName => name === role);
  if (!known) return new Flaw(`${path}.role must be one of ${ROLE_NAMES.join(', ')}`);
  return { modelId, modelName, response, role: known };
}

function judgeReader({ modelOf }: Catalog): (fields: Fields, place: Place) => Judge | Flaw {
  return ({ id, name }, { index, path }) => {
    if (!isName(id)) return new Flaw(`${path}.id ${NAME_RULE}`);
    if (!isName(name)) return new Flaw(`${path}.name ${NAME_RULE}`);
    return { place: index, id, name, model: modelOf(id) };
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /\S/.test(value) && value.length <= NAME_CHARACTERS_MAX;
}
