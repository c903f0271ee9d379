/**
 * The program of the sandbox's thread; source text, since a bundle has no second file to start. Each program gets a new
 * context, arguments go in and values come out as JSON, and what is right is not known here. A program that has used up its
 * memory may leave the engine broken, which shows when it is disposed of; the thread then says nothing was returned, and a new
 * one takes its place.
 */
export const SANDBOX_PROGRAM = `
const { parentPort, workerData: limits } = require('node:worker_threads');
const { newQuickJSWASMModuleFromVariant } = require(limits.core);
const engine = require(limits.engine).default;

const loaded = newQuickJSWASMModuleFromVariant(engine);
const PRELUDE =
  'globalThis.module = { exports: {} }; globalThis.exports = module.exports;' +
  'globalThis.console = { log() {}, info() {}, warn() {}, error() {}, debug() {} };';

function run(quickJs, { source, functionName, calls }) {
  const runtime = quickJs.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(limits.stackBytes);
  const endsAt = Date.now() + limits.programMs;
  runtime.setInterruptHandler(() => Date.now() > endsAt);
  const context = runtime.newContext();
  const evaluate = (text) => context.unwrapResult(context.evalCode(text));
  const call = (callee, argumentTexts) => {
    let value;
    const given = [];
    try {
      for (const text of argumentTexts) given.push(evaluate('(' + text + ')'));
      value = context.unwrapResult(context.callFunction(callee, context.undefined, given));
      const returned = JSON.stringify(context.dump(value));
      return returned?.length > limits.returnedCharactersMax ? undefined : returned;
    } catch {
      return undefined;
    } finally {
      value?.dispose();
      for (const handle of given) handle.dispose();
    }
  };
  const returned = [];
  let callee;
  try {
    evaluate(PRELUDE).dispose();
    evaluate(source).dispose();
    callee = evaluate('(' + functionName + ')');
    for (const argumentTexts of calls) returned.push(Date.now() > endsAt ? undefined : call(callee, argumentTexts));
  } catch {
    while (returned.length < calls.length) returned.push(undefined);
  }
  callee?.dispose();
  context.dispose();
  runtime.dispose();
  return Date.now() > endsAt ? undefined : returned;
}

parentPort.on('message', async (program) => {
  let returned;
  try {
    returned = run(await loaded, program);
  } catch {}
  parentPort.postMessage(returned);
});
`;
