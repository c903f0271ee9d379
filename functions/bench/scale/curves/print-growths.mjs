// Prints as JSON by which factor what a request takes of the heap grows along each curve.
import { serverSettings, startUpstream } from '../../servers.mjs';
import { stopAll, temporaryDirectory } from '../../workspace.mjs';
import { growthsOfMemory } from './curves.mjs';

try {
  const settings = serverSettings(temporaryDirectory(), await startUpstream());
  console.log(JSON.stringify(await growthsOfMemory({ settings })));
} finally {
  await stopAll();
}
