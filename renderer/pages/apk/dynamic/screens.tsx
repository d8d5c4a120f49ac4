// Screens of the app as a person saw them, drawn from what stood where. Knows no events; every text in it is the app's.
import { Modal, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { formatVirtualTime } from '../../../components/text/format.ts';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import { CodeLink } from '../code-link.tsx';
import styles from './dynamic.module.css';
import type { SeenItem, SeenScreen } from './dynamic-report.ts';
import { dynamicTexts } from './texts.ts';

/** Of the screen's width. */
const fontShare = 0.037;
/** Width of a character in proportion to its height. */
const characterShare = 0.55;
const maxCharacters = 120;

const frames: Record<string, string | undefined> = {
  button: styles.screenButton,
  field: styles.screenField,
  password: styles.screenField,
  picture: styles.screenPicture,
  page: styles.screenPicture,
  dialog: styles.screenDialog,
};

function Item({ item, size }: { item: SeenItem; size: number }) {
  const { kind, x, y, width, height, text, hint, isChecked } = item;
  const isInput = kind === 'field' || kind === 'password';
  const mark = kind === 'check' ? (isChecked ? '☑ ' : '☐ ') : '';
  const shown = `${mark}${text === '' && isInput ? hint : text}`;
  const isMiddle = kind === 'button';
  const padding = isInput || kind === 'dialog' ? size * 0.5 : 0;
  const room = Math.min(maxCharacters, Math.max(1, Math.floor((width - 2 * padding) / (size * characterShare))));
  return (
    <g>
      {frames[kind] !== undefined && (
        <rect x={x} y={y} width={width} height={height} rx={size / 4} className={frames[kind]} />
      )}
      {kind === 'picture' && (
        <path
          d={`M${x},${y + height} l${width * 0.35},${-height * 0.5} l${width * 0.25},${height * 0.25} l${width * 0.4},${-height * 0.6}`}
          className={styles.screenSketch}
        />
      )}
      {shown !== '' && (
        <text
          x={isMiddle ? x + width / 2 : x + padding}
          y={y + (height < size * 4 ? height / 2 : size) + size * 0.36}
          textAnchor={isMiddle ? 'middle' : 'start'}
          fontSize={size}
          className={text === '' && isInput ? styles.screenHint : styles.screenText}
        >
          {visibleString(shown, room)}
        </text>
      )}
    </g>
  );
}

function Picture({ screen: { width, height, items, component }, shown }: { screen: SeenScreen; shown: number }) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={shown}
      height={(shown * height) / width}
      className={styles.screen}
      role="img"
      aria-label={visibleString(component, 80)}
    >
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items never change places
        <Item key={at} item={item} size={width * fontShare} />
      ))}
    </svg>
  );
}

/** A row of small ones, each of which opens large. */
export function Screens({ sha256, screens }: { sha256: string; screens: readonly SeenScreen[] }) {
  const [open, setOpen] = useState<SeenScreen | null>(null);
  return (
    <>
      <ul className={styles.screens} aria-label={dynamicTexts.screens}>
        {screens.map((screen, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: screens never change places
          <li key={at}>
            <UnstyledButton className={styles.thumbnail} onClick={() => setOpen(screen)}>
              <Picture screen={screen} shown={72} />
              <span className="tabular">{formatVirtualTime(screen.time)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <Modal opened={open !== null} onClose={() => setOpen(null)} title={dynamicTexts.screen} size="auto" centered>
        {open !== null && (
          <div className={styles.large}>
            <Picture screen={open} shown={340} />
            <span>
              <CodeLink sha256={sha256} name={open.component} />
            </span>
            <ul>
              {open.items
                .filter(({ kind, text }) => (kind === 'field' || kind === 'password') && text !== '')
                .map(({ hint, text }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: items never change places
                  <li key={at}>
                    {dynamicTexts.typed} <HostileText value={text} max={120} mono />
                    {hint !== '' && (
                      <>
                        {' '}
                        {dynamicTexts.into} <HostileText value={hint} max={80} isFixed />
                      </>
                    )}
                  </li>
                ))}
            </ul>
          </div>
        )}
      </Modal>
    </>
  );
}
