/** A set-up of runs under the name that its user has given it, as the page has written it. */
export interface Preset {
  readonly name: string;
  readonly setUp: Readonly<Record<string, unknown>>;
}

export interface PresetStore {
  listPresets(userId: string): Promise<readonly Preset[]>;
  /** Changes the list as a whole; `next` may be asked again, and undefined changes nothing. Resolves with what `next` gave. */
  changePresets(
    userId: string,
    next: (presets: readonly Preset[]) => readonly Preset[] | undefined,
  ): Promise<readonly Preset[] | undefined>;
}
