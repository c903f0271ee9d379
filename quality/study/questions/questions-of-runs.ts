import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { Stopped } from '../service/client.ts';
import { type Rated, ratedOf, ratingSchema, ratingsTold, rubricOf } from './ratings.ts';

/** The fields of a saved run of the playground that are read. */
const runFile = z.object({
  format: z.literal('ensemble-run'),
  version: z.literal(1),
  prompt: z.string().trim().min(1),
  request: z
    .object({
      messages: z.array(z.unknown()).optional(),
      ai_ensemble: z.object({ checks: z.record(z.string(), z.unknown()).nullish() }).optional(),
    })
    .optional(),
  events: z.array(z.unknown()).default([]),
  rating: ratingSchema.optional(),
});

interface Question {
  readonly prompt: string;
  readonly check?: object;
  readonly rubric?: string;
  readonly rated?: readonly Rated[];
}

/** A file of questions made of saved runs: each prompt once, with the checks of its answer and what users thought of it. */
export function questionsOfRuns(files: readonly string[]): string {
  const runs = files.map(runOf);
  for (const line of ratingsTold(runs.flatMap(({ rated }) => rated ?? []))) console.error(line);
  const questions = new Map(runs.map((run) => [run.prompt, questionOf(run, runs)]));
  return [...questions.values()].map((question) => `${JSON.stringify(question)}\n`).join('');
}

interface Run {
  readonly prompt: string;
  readonly check: object | undefined;
  readonly rated: Rated | undefined;
}

function questionOf({ prompt, check }: Run, runs: readonly Run[]): Question {
  const rated = runs.flatMap((run) => (run.prompt === prompt && run.rated ? [run.rated] : []));
  const rubric = rubricOf(rated);
  return {
    prompt,
    ...(check && { check }),
    ...(rubric !== undefined && { rubric }),
    ...(rated.length > 0 && { rated }),
  };
}

function runOf(file: string): Run {
  const run = runFile.safeParse(parsed(file));
  if (!run.success) throw new Stopped('failed', `${file} is no saved run of the playground`);
  const { prompt, request, rating, events } = run.data;
  if ((request?.messages?.length ?? 1) > 1)
    console.error(`${basename(file)} is of a conversation: its last message alone is the question`);
  return { prompt, check: request?.ai_ensemble?.checks ?? undefined, rated: ratedOf(rating, events) };
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Stopped(
      'failed',
      code === 'ENOENT' ? `${file} does not exist` : `${file} is no saved run of the playground`,
    );
  }
}
