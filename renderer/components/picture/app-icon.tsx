// An app's icon, always as an image: an SVG in it runs nothing. Knows nothing of the app.
import { memo, useState } from 'react';
import styles from './app-icon.module.css';
import { Icon } from './icon.tsx';

/** @param size CSS pixels */
export const AppIcon = memo(function AppIcon({ image, size }: { image: string | null; size: number }) {
  const [failed, setFailed] = useState<string | null>(null);
  const box = { width: size, height: size };
  if (image === null || failed === image) {
    return (
      <span className={styles.none} style={box}>
        <Icon name="app" size={Math.round(size * 0.7)} />
      </span>
    );
  }
  return (
    <img
      className={styles.icon}
      style={box}
      src={image}
      width={size}
      height={size}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      draggable={false}
      onError={() => setFailed(image)}
    />
  );
});
