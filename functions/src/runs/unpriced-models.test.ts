import { createLog } from '../lib/log';
import { createTellUnpriced } from './admit';

it('a missing price is said once for each model, at its first request', () => {
  const lines: Record<string, unknown>[] = [];
  const tell = createTellUnpriced(createLog('info', (line) => lines.push(JSON.parse(line))));
  for (const [modelId, requestId] of [
    ['a', 'r1'],
    ['b', 'r1'],
    ['a', 'r2'],
  ] as const)
    tell(modelId, { requestId });
  const line = { severity: 'WARNING', message: 'no price known', requestId: 'r1' };
  expect(lines).toEqual([
    { ...line, modelId: 'a' },
    { ...line, modelId: 'b' },
  ]);
});
