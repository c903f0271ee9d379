import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const flagsIn = (path: string): string[] =>
  readFileSync(join(ROOT, path), 'utf8').match(/--(?:max-semi-space|v8-pool)-size=\d+/g) ?? [];

// ADR 19: without them 200 streams at once take 40 MiB more.
it('memory is bounded alike by `npm start`, in the image, and where the bench measures the server alone', () => {
  const places = ['package.json', 'Dockerfile', 'functions/bench/outside/ours.mjs'];
  expect(places.map(flagsIn)).toEqual(places.map(() => ['--max-semi-space-size=8', '--v8-pool-size=2']));
});
