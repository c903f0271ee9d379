// Runs the operator CLI from its bundle.
import { createRequire } from 'node:module';
import { FUNCTION_BUILD } from './builds.mjs';

FUNCTION_BUILD.ensure();
createRequire(import.meta.url)('../lib/admin.js');
