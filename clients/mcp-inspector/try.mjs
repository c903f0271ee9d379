import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { API_KEY, attempt, ORIGIN, QUESTION } from '../attempt.mjs';

const CLI = fileURLToPath(new URL(join('node_modules', '.bin', 'mcp-inspector'), import.meta.url));

/** Asks as one types it; gives the result that the command prints. */
async function inspect(...words) {
  const place = [`${ORIGIN}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${API_KEY}`];
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, '--cli', ...place, ...words]);
  return JSON.parse(stdout);
}

const call = (name, ...given) =>
  inspect('--method', 'tools/call', '--tool-name', name, ...given.flatMap((argument) => ['--tool-arg', argument]));

await attempt({ tried: 'the list of tools', kind: 'mcpTools', calls: 0 }, async () => {
  const { tools } = await inspect('--method', 'tools/list');
  return tools.map(({ name }) => name).sort();
});
await attempt({ tried: 'ask', kind: 'text' }, async () => {
  const { content, isError } = await call('ask', `question=${QUESTION}`);
  if (isError) throw new Error(content[0].text);
  return content[0].text;
});
await attempt({ tried: 'plan', kind: 'mcpPlan', calls: 0 }, async () => {
  const { content, isError = false } = await call('plan', `question=${QUESTION}`);
  return { isError, saysCost: /cost/i.test(content[0].text) };
});
