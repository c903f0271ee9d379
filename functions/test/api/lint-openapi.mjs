// Lints the OpenAPI document on stdin and exits with 1 when anything is wrong with it.
import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lintFromString({ source: await text(process.stdin), config });
for (const { ruleId, message, location } of problems) console.error(`${ruleId} ${location[0]?.pointer}: ${message}`);
process.exitCode = problems.length > 0 ? 1 : 0;
