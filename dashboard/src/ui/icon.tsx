const PATHS = {
  key: 'M8 11.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Zm3.2 1.3 9.3-9.3M15 9l3 3m0-6 2.5 2.5',
  chart: 'M4 20V10m6 10V4m6 16v-8m-14 8h18',
  layers: 'm12 3 9 5-9 5-9-5 9-5Zm-9 9 9 5 9-5M3 16l9 5 9-5',
  card: 'M3 6h18v12H3V6Zm0 4h18M7 15h3',
  copy: 'M9 9h11v11H9V9ZM5 15H4V4h11v1',
  check: 'm5 12 5 5L20 7',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  chevron: 'm9 6 6 6-6 6',
  expand: 'M14 4h6v6M10 20H4v-6m16-10-7 7M4 20l7-7',
  stop: 'M6 6h12v12H6V6Z',
  play: 'M7 5l12 7-12 7V5Z',
  spark: 'M12 3c.6 5 4 8.4 9 9-5 .6-8.4 4-9 9-.6-5-4-8.4-9-9 5-.6 8.4-4 9-9Z',
  close: 'M6 6l12 12M18 6 6 18',
  theme: 'M12 3a9 9 0 1 0 0 18V3Z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 4 4',
  download: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
  good: 'M7 10v11M3 10h4l5-7c1.8 0 3 1.5 2.6 3.3L14 10h5a2 2 0 0 1 2 2.3l-1.2 7A2 2 0 0 1 17.800 21H3V10Z',
  bad: 'M17 14V3m4 11h-4l-5 7c-1.8 0-3-1.5-2.6-3.3L10 14H5a2 2 0 0 1-2-2.3l1.2-7A2 2 0 0 1 6.200 3H21v11Z',
  external: 'M14 4h6v6m0-6-9 9M18 14v6H4V6h6',
} as const;

/** The name of a picture. */
export type IconName = keyof typeof PATHS;

/** A small line drawing beside words that say the same; readers of the screen are not told of it. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
