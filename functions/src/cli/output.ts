/** What a command prints: `data` with `--json`, else `text`. */
export interface Output {
  readonly data: unknown;
  readonly text: string;
}
