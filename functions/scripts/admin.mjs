// Runs the operator CLI from its bundle.
import { createRequire } from 'node:module';
import { ensureBuilt } from './ensure-built.mjs';

ensureBuilt();
createRequire(import.meta.url)('../lib/admin.js');
