// Builds lib/, unless it is what the sources would make. With `--watch` it stays, and builds again with every change.
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';
import { FUNCTION_BUILD } from './build-state.mjs';
import { addRest, BUNDLE } from './bundle.mjs';
import { endWithParent } from './end-with-parent.mjs';

const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } });
if (values.watch) await watch();
else if (!FUNCTION_BUILD.isBuilt()) await buildOnce();

async function buildOnce() {
  FUNCTION_BUILD.forget();
  await build(BUNDLE);
  await addRest();
  FUNCTION_BUILD.remember();
}

/** Says each time how it went: a program that stays and is silent could as well hang. */
async function watch() {
  const report = {
    name: 'report',
    setup({ onStart, onEnd }) {
      onStart(FUNCTION_BUILD.forget);
      onEnd(async ({ errors }) => {
        if (errors.length > 0) return;
        await addRest();
        FUNCTION_BUILD.remember();
        console.log(`Built lib/ at ${new Date().toLocaleTimeString()}; watching src/ (Ctrl-C ends it).`);
      });
    },
  };
  endWithParent(() => process.exit());
  const watched = await context({ ...BUNDLE, plugins: [...BUNDLE.plugins, report] });
  await watched.watch();
}
