import type { Schema } from '../../api/client';
import { EvaluateForm } from '../../evaluate/evaluate-form';
import { EvaluationResult } from '../../evaluate/evaluation-result';
import { isEvaluation } from '../../evaluate/is-evaluation';
import { useEvaluation } from '../../evaluate/use-evaluation';
import { useAskedRun } from '../../run/asked-run';
import type { RunState } from '../../run/run-state';
import { useRun } from '../../run/use-run';
import { Disclosed } from '../../ui/disclosed';
import { isAlone, standingOf } from './card-view';

const ENSEMBLE = 'The answer of the ensemble';

/** Lets judges score the answer and what each participant stands for; of a kept run, what judges found before. */
export default function EvaluateRun() {
  const asked = useAskedRun();
  const isOver = useRun(({ end }) => end !== undefined);
  const state = useRun((all) => (all.end ? all : undefined));
  const evaluating = useEvaluation();
  if (!asked || !isOver || !state) return <p className="soft">Judges can be asked as soon as the run is over.</p>;
  const responses = responsesOf(state);
  if (responses.length === 0) return <p className="soft">There is no text that judges could score.</p>;
  const before = asked.evaluations.filter(isEvaluation);
  return (
    <>
      <EvaluateForm
        about={{ prompt: asked.prompt, responses, ...(asked.runId !== undefined && { runId: asked.runId }) }}
        evaluating={evaluating}
      />
      {before.map((result, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: evaluations are nothing but their place and their figures
        <Disclosed key={at} title={before.length === 1 ? 'An earlier evaluation' : `Evaluation ${at + 1}`}>
          <EvaluationResult result={result} />
        </Disclosed>
      ))}
    </>
  );
}

/** The answer first, then the last text of each participant, unless it is the answer: each text is judged once. */
function responsesOf(state: RunState): readonly Schema<'JudgedResponse'>[] {
  const { answer, run } = state;
  const all = (run?.participants ?? []).map((seat) => ({ seat, text: standingOf(state, seat.seat) ?? '' }));
  const texts = all
    .filter(({ text }) => text !== '' && text !== answer)
    .map(({ seat: { modelId, label }, text }) => ({ modelId, modelName: label, response: text }));
  const [same] = all.filter(({ text }) => text === answer);
  const whole = isAlone(state) ? 'The answer' : ENSEMBLE;
  const modelName = same ? `${whole}, as of ${same.seat.label}` : whole;
  const own = { modelId: run?.arbiter.modelId ?? 'arbiter', modelName, response: answer };
  return answer === '' ? texts : [own, ...texts];
}
