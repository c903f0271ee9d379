/** A suite that needs what not every machine has. Where it is missing the suite is listed as not run; `CI=true` fails it. */
export function describeWhere(name: string, missing: string | undefined, suite: () => void): void {
  if (missing === undefined) {
    describe(name, suite);
    return;
  }
  if (process.env['CI'] === 'true') {
    it(name, () => {
      throw new Error(missing);
    });
    return;
  }
  console.warn(`NOT RUN: ${name}: ${missing}`);
  it.todo(`${name}: not run, ${missing}`);
}
