// A choice between a few parts of a page, each with its count. Knows nothing of the parts.
import styles from './segments.module.css';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  segments: { value: T; label: string; count?: string }[];
}

export function Segments<T extends string>({ label, value, onChange, segments }: SegmentsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border and a layout of its own
    <div className={styles.segments} role="group" aria-label={label}>
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === value}
          onClick={() => onChange(segment.value)}
        >
          {segment.label}
          {segment.count !== undefined && <span className="tabular">{segment.count}</span>}
        </button>
      ))}
    </div>
  );
}
