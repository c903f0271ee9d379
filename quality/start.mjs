// Starts the command, on a Node that can run it: an older one could not even read its files.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
const needed = Number(/\d+/.exec(engines.node));
if (Number.parseInt(process.versions.node, 10) >= needed) await import('./study/command/main.ts');
else {
  console.error(`This needs Node ${needed} or later, and runs on ${process.versions.node}`);
  process.exit(1);
}
