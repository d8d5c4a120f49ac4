// The interface's own line icons, on a grid of 20. Knows nothing of who uses them.
const paths = {
  catalogue: 'M3 5h14M3 10h14M3 15h14',
  jobs: 'M10 3v3M10 14v3M3 10h3M14 10h3M5 5l2 2M13 13l2 2M15 5l-2 2M7 13l-2 2',
  rulesets: 'M5 3h7l3 3v11H5zM12 3v3h3M7.5 10h5M7.5 13h5',
  dashboard: 'M4 16V9M8 16V4M12 16v-5M16 16V7',
  filter: 'M3 5h14l-5.5 6.5V16l-3-1.5v-3z',
  star: 'M10 3.5l2 4.2 4.6.6-3.4 3.2.9 4.5L10 13.8 5.9 16l.9-4.5-3.4-3.2 4.6-.6z',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3',
  people:
    'M7.5 4a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M2.5 16a5 5 0 0 1 10 0M13 4.5a2.2 2.2 0 1 1 0 4.4M14.5 11.5a4.5 4.5 0 0 1 3 4.5',
  feed: 'M4 4a12 12 0 0 1 12 12M4 9a7 7 0 0 1 7 7M5 14.5a.8.8 0 1 1 0 1.6.8.8 0 0 1 0-1.6',
  settings: 'M4 6h7M14.5 6H16M4 10h2M9.5 10H16M4 14h6M13.5 14H16M12.7 4.3v3.4M7.7 8.3v3.4M11.7 12.3v3.4',
  search: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M13 13l4 4',
  upload: 'M10 13V4M6.5 7.5 10 4l3.5 3.5M4 13v3h12v-3',
  download: 'M10 4v9M6.5 9.5 10 13l3.5-3.5M4 13v3h12v-3',
  sun: 'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M15.7 4.3l-1.2 1.2M5.5 14.5l-1.2 1.2',
  moon: 'M16 12A6.5 6.5 0 0 1 8 4a6.5 6.5 0 1 0 8 8z',
  contrast: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14M10 3v14M10 6l5.5 8M10 3.5l6.6 8M10 10l3.5 5.4',
  person: 'M10 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6M4 17a6 6 0 0 1 12 0',
  close: 'M5 5l10 10M15 5L5 15',
  check: 'M4 10.5 8 14.5 16 6',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  retry: 'M15.5 8A6 6 0 1 0 16 11.5M16 4v4h-4',
  warning: 'M10 3.5 17.5 16h-15zM10 8v4M10 13.8v.4',
  shield: 'M10 3l6 2v5c0 4-2.7 6-6 7-3.3-1-6-3-6-7V5z',
  shieldCheck: 'M10 3l6 2v5c0 4-2.7 6-6 7-3.3-1-6-3-6-7V5zM7.3 10l2 2 3.5-4',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10h7.6l.7-10M8.5 9v4.5M11.5 9v4.5',
  chevron: 'M7.5 5l5 5-5 5',
  chevronDown: 'M5 7.5l5 5 5-5',
  up: 'M10 16V5M5.5 9.5 10 5l4.5 4.5',
  back: 'M16 10H5M9.5 5.5 5 10l4.5 4.5',
  folder: 'M3 6V5h5l1.5 2H17v9H3z',
  file: 'M5 3h7l3 3v11H5zM12 3v3h3',
  keyboard: 'M2.5 6h15v9h-15zM5.5 9h.1M8.5 9h.1M11.5 9h.1M14.5 9h.1M6.5 12h7',
  offline: 'M3 7.5a10 10 0 0 1 14 0M5.5 10.5a6.5 6.5 0 0 1 9 0M8 13.3a3 3 0 0 1 4 0M10 16v.1M3 3l14 14',
  bug: 'M6.5 9a3.5 3.5 0 0 1 7 0v4a3.5 3.5 0 0 1-7 0zM3 8l3.5 1.5M17 8l-3.5 1.5M2.5 12.5h4M13.5 12.5h4M4 17l2.8-2.2M16 17l-2.8-2.2M7.5 6 6.3 3.8M12.5 6l1.2-2.2',
  flask: 'M8 3h4M8.7 3v5L4.5 15.5A1 1 0 0 0 5.4 17h9.2a1 1 0 0 0 .9-1.5L11.3 8V3M6.5 12.5h7',
  key: 'M10 10a3.5 3.5 0 1 1 0-.1M10 10h7.500v3M14.500 10v2.500',
  app: 'M5 13a5 5 0 0 1 10 0zM6.5 5.5l1.4 2.3M13.5 5.5l-1.4 2.3M8 11h.1M12 11h.1M5 15.5h10',
  stop: 'M6 6h8v8H6z',
  uses: 'M4 6h7M4 10h4M4 14h4M11 13l5-5M12 8h4v4',
  compare: 'M3.5 4.5h5v11h-5zM11.5 4.5h5v11h-5zM5.2 8h1.6M5.2 11h1.6M13.2 8h1.6M13.2 11h1.6',
  swap: 'M4 7h11M12 4l3 3-3 3M16 13H5M8 10l-3 3 3 3',
  families:
    'M10 3.5a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4M5 12.1a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4M15 12.1a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4M9 7.8 6.2 12.3M11 7.8l2.8 4.5M7.2 14.3h5.6',
  globe: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14M3 10h14M10 3c5 4.5 5 9.500 0 14M10 3c-5 4.500-5 9.500 0 14',
  similar: 'M8 5.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M12 5.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9',
  expand: 'M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4',
} as const;
export type IconName = keyof typeof paths;

/** Decorative: the accessible name is that of the button or text around it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flexShrink: 0 }}
    >
      <path d={paths[name]} />
    </svg>
  );
}
