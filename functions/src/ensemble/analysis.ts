import * as z from 'zod';

const texts = z.array(z.string()).catch([]);

/** The arbiter's comparison of the candidates, by label. Lenient: a part that cannot be read is empty. */
const schema = z.object({
  winner: z.string().nullable().catch(null),
  order: texts,
  agreements: texts,
  conflicts: z.array(z.object({ point: z.string(), ruling: z.string() })).catch([]),
  unique: texts,
  dissent: texts,
  rationale: z.string().catch(''),
});

export type Analysis = z.infer<typeof schema>;

/** Reads an analysis from a model's reply; undefined when no JSON object with a rationale or ruling is in it. */
export function parseAnalysis(reply: string): Analysis | undefined {
  const parsed = schema.safeParse(firstJson(reply, '{', '}'));
  if (!parsed.success) return undefined;
  const { rationale, conflicts, winner } = parsed.data;
  return rationale.trim() === '' && conflicts.length === 0 && winner === null ? undefined : parsed.data;
}

/** Reads a list of non-empty strings from a model's reply, at most `max`; undefined when there is none. */
export function parseStringList(reply: string, max: number): string[] | undefined {
  const list = z.array(z.string()).safeParse(firstJson(reply, '[', ']'));
  if (!list.success) return undefined;
  const strings = list.data.map((text) => text.trim()).filter((text) => text !== '');
  return strings.length === 0 ? undefined : strings.slice(0, max);
}

/** The JSON between the first opening and the last closing mark: models like to wrap it in prose or code fences. */
function firstJson(reply: string, open: string, close: string): unknown {
  const start = reply.indexOf(open);
  const end = reply.lastIndexOf(close);
  if (start < 0 || end <= start) return undefined;
  const json = reply.slice(start, end + 1);
  return tryParse(json) ?? tryParse(json.replace(/,\s*([\]}])/g, '$1'));
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
