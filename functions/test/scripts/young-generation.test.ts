import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const flagsIn = (path: string): string[] =>
  readFileSync(join(ROOT, path), 'utf8').match(/--max-semi-space-size=\d+/g) ?? [];

// ADR 55: without it 200 streams at once take 35 MiB more.
it('the young generation is bounded alike by `npm start`, in the image, and where the bench measures the server alone', () => {
  const places = ['package.json', 'Dockerfile', 'functions/bench/outside/ours.mjs'];
  expect(places.map(flagsIn)).toEqual(places.map(() => ['--max-semi-space-size=8']));
});
