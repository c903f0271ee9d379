// Builds lib/, unless it is what the sources would make.
import { build } from 'esbuild';
import { FUNCTION_BUILD } from './builds.mjs';
import { addRest, BUNDLE } from './bundle.mjs';

if (!FUNCTION_BUILD.isBuilt()) {
  FUNCTION_BUILD.forget();
  await build(BUNDLE);
  await addRest();
  FUNCTION_BUILD.remember();
}
