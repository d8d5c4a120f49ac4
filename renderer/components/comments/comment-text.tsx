// The text of a comment: mentions lead to analysts, tags to the catalogue, every other character is text.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { searchAddress } from '../place/catalogue-address.ts';
import { HostileText } from '../text/hostile-text.tsx';
import styles from './comments.module.css';

export function CommentText({ text }: { text: string }) {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(/(?<![\w@#])([@#])([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})/gu)) {
    const [whole, sign, word] = match;
    // Sentences end in dots, names do not.
    const name = word!.replace(/[.-]+$/, '');
    if (match.index > end) pieces.push(<Plain key={end} text={text.slice(end, match.index)} />);
    const address = sign === '@' ? `/analysts/${encodeURIComponent(name)}` : searchAddress(`tag:"${name}"`);
    pieces.push(
      <Link key={match.index} to={address}>
        {sign}
        <HostileText value={name} max={64} isFixed />
      </Link>,
    );
    end = match.index + whole.length - (word!.length - name.length);
  }
  pieces.push(<Plain key={end} text={text.slice(end)} />);
  return <p className={styles.text}>{pieces}</p>;
}

/** Line breaks of a comment are its author's; everything else goes the way of hostile text. */
function Plain({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never change places
    <span key={index}>
      {index > 0 && <br />}
      {line !== '' && <HostileText value={line} max={2000} />}
    </span>
  ));
}
