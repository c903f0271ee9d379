/** The pages of the navigation, in its order. */
export const PAGE_LINKS = [
  { path: '/play', label: 'Playground', icon: 'spark' },
  { path: '/keys', label: 'API keys', icon: 'key' },
  { path: '/usage', label: 'Usage', icon: 'chart' },
  { path: '/models', label: 'Models', icon: 'layers' },
  { path: '/plan', label: 'Plan', icon: 'card' },
] as const;
