/** What a state means for whoever looks at it. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral';
