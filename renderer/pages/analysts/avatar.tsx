// An analyst's picture, or the first letter of the name where there is none. Loads pictures from the server alone.
import styles from './avatar.module.css';

/** @param url an address of this server; anything else is not loaded */
export function Avatar({ url, name, size }: { url: string; name: string; size: number }) {
  const isOurs =
    url !== '' && URL.canParse(url, location.origin) && new URL(url, location.origin).origin === location.origin;
  const style = { width: size, height: size, fontSize: size / 2.2 };
  return isOurs ? (
    <img className={styles.picture} src={url} alt="" style={style} />
  ) : (
    <span className={styles.letter} style={style} aria-hidden="true">
      {name.slice(0, 1).toUpperCase()}
    </span>
  );
}
