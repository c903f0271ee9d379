import { isStreamed } from './streamed';

const asked = (method: string, path: string) => isStreamed({ method, url: `https://acme.example${path}` });

it.each([
  ['POST', '/dashboard/runs'],
  ['GET', '/dashboard/runs/run_1/events'],
  ['GET', '/dashboard/runs/run_1/events?after=3'],
  ['POST', '/dashboard/evaluations'],
])('%s %s is answered bit by bit', (method, path) => expect(asked(method, path)).toBe(true));

it.each([
  ['GET', '/dashboard/runs'],
  ['DELETE', '/dashboard/runs'],
  ['POST', '/dashboard/runs/plan'],
  ['GET', '/dashboard/runs/run_1'],
  ['POST', '/dashboard/runs/run_1/stop'],
  ['GET', '/dashboard/runs/run_1/more/events'],
  ['GET', '/dashboard/keys'],
])('%s %s is answered at once', (method, path) => expect(asked(method, path)).toBe(false));
