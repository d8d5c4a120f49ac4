// How much the bytes of a file tell, stretch by stretch; a click leads to one. Knows nothing of what the bytes are.
import { type EntryPlace, useEntropy } from '../../api/apk-queries.ts';
import styles from './hex-view.module.css';
import { hexTexts } from './texts.ts';

/** Bits by byte from which on a stretch is packed or encrypted, or random. */
const dense = 7.5;

interface EntropyStripProps {
  sha256: string;
  place: EntryPlace;
  onChoose: (offset: number) => void;
}

export function EntropyStrip({ sha256, place, onChoose }: EntropyStripProps) {
  const { data } = useEntropy(sha256, place);
  if (data === undefined || data.size === 0) return null;
  const { blocks, block, entropy } = data;
  return (
    <div className={styles.entropy} data-testid="entropy">
      <span title={hexTexts.entropyText}>{hexTexts.entropy(entropy.toFixed(2))}</span>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field of offsets beside it leads anywhere by keyboard */}
      <div
        role="img"
        aria-label={hexTexts.entropyOf(blocks.length)}
        className={styles.strip}
        onClick={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          onChoose(Math.min(blocks.length - 1, Math.floor(((clientX - left) / width) * blocks.length)) * block);
        }}
      >
        {blocks.map((value, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a stretch has no other name than its place
            key={index}
            className={value >= dense ? styles.dense : undefined}
            style={{ height: `${(100 * value) / 8}%` }}
            title={hexTexts.stretch((index * block).toString(16), value.toFixed(2))}
          />
        ))}
      </div>
    </div>
  );
}
