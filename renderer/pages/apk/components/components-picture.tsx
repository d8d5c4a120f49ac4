// Components as a picture: what comes from outside at the left, the component it opens at the right. Knows the manifest's records only.
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { ComponentRecord } from '../../../../server/contract/engine/reports.ts';
import { codeAddress } from '../../../components/place/place-address.ts';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import styles from './picture.module.css';
import { componentsTexts, graphTexts } from './texts.ts';

/** Components and filter terms that are drawn; a picture of more shows nothing. */
const maxComponents = 60;
const maxTerms = 6;
const rowHeight = 20;
const gap = 14;
const columns = { terms: 16, box: 470, width: 1040 } as const;

interface Term {
  text: string;
  kind: 'action' | 'data';
}
/** Categories that say something of what opens a component. */
const tellingCategories = new Set([
  'android.intent.category.LAUNCHER',
  'android.intent.category.HOME',
  'android.intent.category.BROWSABLE',
  'android.intent.category.LEANBACK_LAUNCHER',
]);

const uriOf = (data: Record<string, string>): string => {
  const { scheme, host, port, path, pathPrefix, pathPattern, mimeType } = data;
  const place = path ?? (pathPrefix === undefined ? (pathPattern ?? '') : `${pathPrefix}…`);
  const address =
    scheme === undefined ? '' : `${scheme}://${host ?? ''}${port === undefined ? '' : `:${port}`}${place}`;
  return [address, mimeType ?? ''].filter((part) => part !== '').join(' ');
};

/** What opens a component from outside: actions, addresses, for a provider its authorities. */
function termsOf(component: ComponentRecord): Term[] {
  const terms = new Map<string, Term>();
  const add = (text: string, kind: Term['kind']) => {
    if (text !== '') terms.set(`${kind} ${text}`, { text, kind });
  };
  for (const filter of component.intent_filters) {
    for (const action of filter.actions) add(action, 'action');
    for (const category of filter.categories) if (tellingCategories.has(category)) add(category, 'action');
    for (const data of filter.data) add(uriOf(data), 'data');
  }
  for (const authority of component.authorities) add(`content://${authority}`, 'data');
  return [...terms.values()];
}

const shortAction = (text: string) =>
  text.replace(/^android\.(?:intent\.(?:action|category)|provider|app\.action|net)\./, '');
const shortName = (name: string) => name.slice(name.lastIndexOf('.') + 1) || name;

interface Placed {
  /** Components that the same things open in the same way; one of them stands for all until it is unfolded. */
  components: ComponentRecord[];
  id: string;
  terms: Term[];
  shown: Term[];
  top: number;
  height: number;
}

const isOpenTo = ({ exported, permission }: ComponentRecord) => exported && permission === null;
/** What is open to all comes first, then what is opened by most. */
const rankOf = (component: ComponentRecord) => (isOpenTo(component) ? 2 : component.exported ? 1 : 0);

function place(
  components: readonly ComponentRecord[],
  unfolded: ReadonlySet<string>,
): { placed: Placed[]; height: number; rest: number } {
  const groups = new Map<string, { id: string; components: ComponentRecord[]; terms: Term[] }>();
  for (const component of components) {
    const terms = termsOf(component);
    const shared = JSON.stringify([component.kind, component.exported, component.permission, terms]);
    const id = unfolded.has(shared) ? `${shared} ${component.name}` : shared;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { id, components: [component], terms });
    else group.components.push(component);
  }
  const ordered = [...groups.values()].sort(
    (a, b) => rankOf(b.components[0]!) - rankOf(a.components[0]!) || b.terms.length - a.terms.length,
  );
  let top = 34;
  const placed = ordered.slice(0, maxComponents).map((group) => {
    const shown = group.terms.slice(0, maxTerms);
    const lines = Math.max(2, shown.length + (group.terms.length > maxTerms ? 1 : 0));
    const height = lines * rowHeight + 6;
    const result = { ...group, shown, top, height };
    top += height + gap;
    return result;
  });
  return { placed, height: top + 10, rest: Math.max(0, ordered.length - maxComponents) };
}

function Box({ sha256, item, onUnfold }: { sha256: string; item: Placed; onUnfold: (id: string) => void }): ReactNode {
  const { components, top, height } = item;
  const component = components[0]!;
  const middle = top + height / 2;
  const width = columns.width - columns.box - 16;
  const look = isOpenTo(component) ? styles.open : component.exported ? styles.guarded : styles.internal;
  const kind = components.length === 1 ? componentsTexts.kind[component.kind] : componentsTexts.kinds[component.kind];
  const content = (
    <>
      {components.length > 1 && (
        <rect x={columns.box + 5} y={middle - 16} width={width} height={42} rx={5} className={look} />
      )}
      <rect x={columns.box} y={middle - 21} width={width} height={42} rx={5} className={look} />
      <text x={columns.box + 10} y={middle - 4} className={styles.name}>
        {visibleString(shortName(component.name), 54)}
        {components.length > 1 && ` ${texts.filter.rest(components.length - 1)}`}
      </text>
      <text x={columns.box + 10} y={middle + 13} className={styles.note}>
        {kind}
        {component.permission !== null && ` · ${visibleString(shortName(component.permission), 44)}`}
        {isOpenTo(component) && ` · ${componentsTexts.unprotected}`}
        {!component.exported && ` · ${componentsTexts.internal}`}
      </text>
      <title>{visibleString(component.name, 300)}</title>
    </>
  );
  if (components.length === 1) {
    const address = codeAddress(sha256, `L${component.name.replaceAll('.', '/')};`);
    return (
      <Link to={address} className={styles.component}>
        {content}
      </Link>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture holds no button elements
    <g
      role="button"
      tabIndex={0}
      className={styles.component}
      onClick={() => onUnfold(item.id)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onUnfold(item.id);
      }}
    >
      {content}
    </g>
  );
}

export function ComponentsPicture({ sha256, components }: { sha256: string; components: readonly ComponentRecord[] }) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { placed, height, rest } = useMemo(() => place(components, unfolded), [components, unfolded]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.picture} tabIndex={0} aria-label={graphTexts.title} data-testid="components-picture">
      <svg width={columns.width} height={height} viewBox={`0 0 ${columns.width} ${height}`}>
        <title>{graphTexts.title}</title>
        <text x={columns.terms} y={20} className={styles.heading}>
          {graphTexts.outside}
        </text>
        <text x={columns.box} y={20} className={styles.heading}>
          {graphTexts.app}
        </text>
        {placed.map((item) => {
          const middle = item.top + item.height / 2;
          const first = item.top + (item.height - Math.max(1, item.shown.length) * rowHeight) / 2;
          const bend = (columns.box - 330) / 2;
          return (
            <g key={item.id}>
              {item.shown.map((term, index) => {
                const y = first + index * rowHeight + rowHeight / 2;
                return (
                  <g key={`${term.kind} ${term.text}`}>
                    <path
                      d={`M330 ${y} C${330 + bend} ${y} ${columns.box - bend} ${middle} ${columns.box} ${middle}`}
                      className={isOpenTo(item.components[0]!) ? styles.openLine : styles.line}
                    />
                    <text
                      x={322}
                      y={y + 4}
                      textAnchor="end"
                      className={term.kind === 'data' ? styles.data : styles.action}
                    >
                      {visibleString(shortAction(term.text), 44)}
                      <title>{visibleString(term.text, 300)}</title>
                    </text>
                  </g>
                );
              })}
              {item.terms.length > maxTerms && (
                <text
                  x={322}
                  y={first + item.shown.length * rowHeight + rowHeight / 2 + 4}
                  textAnchor="end"
                  className={styles.note}
                >
                  {texts.filter.rest(item.terms.length - maxTerms)}
                </text>
              )}
              <Box sha256={sha256} item={item} onUnfold={(id) => setUnfolded(new Set([...unfolded, id]))} />
            </g>
          );
        })}
      </svg>
      {rest > 0 && <p className={styles.rest}>{texts.filter.rest(rest)}</p>}
    </section>
  );
}
