import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { Stopped } from '../service/client.ts';

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
});

/** A file of questions made of saved runs: each prompt once, with the checks that its answer was held to. */
export function questionsOfRuns(files: readonly string[]): string {
  const questions = new Map(files.map(questionOf).map((question) => [question.prompt, question]));
  return [...questions.values()].map((question) => `${JSON.stringify(question)}\n`).join('');
}

function questionOf(file: string): { readonly prompt: string; readonly check?: object } {
  const run = runFile.safeParse(parsed(file));
  if (!run.success) throw new Stopped('failed', `${file} is no saved run of the playground`);
  const { prompt, request } = run.data;
  if ((request?.messages?.length ?? 1) > 1)
    console.error(`${basename(file)} is of a conversation: its last message alone is the question`);
  const check = request?.ai_ensemble?.checks;
  return { prompt, ...(check && { check }) };
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
