const ENSEMBLE = 'ensemble';

/** The ensemble, unless a key may not use it: then the first model of the deployment that it may use. */
export function sampleModel(offered: readonly string[], allowed: readonly string[] = ['*']): string {
  const usable = [ENSEMBLE, ...offered].find((id) => allowed.some((pattern) => fits(id, pattern)));
  return usable ?? allowed[0] ?? ENSEMBLE;
}

/** True if an id fits a pattern, in which `*` stands for any characters. */
function fits(id: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(id);
}
