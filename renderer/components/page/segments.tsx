// A choice between a few parts of a page, each with its count. Knows nothing of the parts.
import { formatCount } from '../text/counted.ts';
import styles from './segments.module.css';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  labels: Readonly<Record<T, string>>;
  /** Which of them, in which order; all as they are labelled by default. */
  shown?: readonly T[];
  /** How much each holds; undefined where that says nothing. */
  countOf?: (value: T) => number | undefined;
}

export function Segments<T extends string>({ label, value, onChange, labels, shown, countOf }: SegmentsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border and a layout of its own
    <div className={styles.segments} role="group" aria-label={label}>
      {(shown ?? (Object.keys(labels) as T[])).map((one) => {
        const count = countOf?.(one);
        return (
          <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
            {labels[one]}
            {count !== undefined && <span className="tabular">{formatCount(count)}</span>}
          </button>
        );
      })}
    </div>
  );
}
