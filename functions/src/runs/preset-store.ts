/** A set-up of runs under the name that its user has given it, as the page has written it. */
export interface Preset {
  readonly name: string;
  readonly setUp: Readonly<Record<string, unknown>>;
}

export interface PresetStore {
  /** By name. */
  listPresets(userId: string): Promise<Preset[]>;
  /** Saves one in the place of that of its name; resolves false, changing nothing, where all would exceed the bounds. */
  savePreset(userId: string, preset: Preset, max: { readonly count: number; readonly bytes: number }): Promise<boolean>;
  removePreset(userId: string, name: string): Promise<boolean>;
}
