import { parseArgs } from 'node:util';

export const FLAG = { type: 'boolean', default: false };

/** Reads the options of a program; ends it with its usage where that is asked for, or words are not understood (status 2). */
export function readOptions(usage, options) {
  try {
    const { values } = parseArgs({ options: { ...options, help: FLAG } });
    if (!values.help) return values;
    console.log(usage);
    return process.exit(0);
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}\n${usage}`);
    return process.exit(2);
  }
}
