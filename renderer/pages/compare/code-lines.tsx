// A class, a method or the manifest of two APKs side by side, as the address names it. Knows the question, not how lines
// are drawn.
import { Button } from '@mantine/core';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { useComparedLines } from '../../api/apk-queries.ts';
import { codeAddress, compareAddress, placeName } from '../../components/place/place-address.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import type { SectionName } from './differences.ts';
import styles from './side-by-side.module.css';
import { SideBySide } from './side-by-side.tsx';
import { compareTexts as words } from './texts.ts';
import { Waiting } from './waiting.tsx';

interface CodeLinesProps {
  first: ApkDetail;
  second: ApkDetail;
  name: SectionName;
  /** The server's left side is shown on the right. */
  isSwapped: boolean;
}

export function CodeLines({ first, second, name, isSwapped }: CodeLinesProps) {
  const navigate = useNavigate();
  const [parameters, setParameters] = useSearchParams();
  const asked = { first: parameters.get('first') ?? undefined, second: parameters.get('second') ?? undefined };
  const isWhole = parameters.has('whole');
  const isCode = asked.first !== undefined || asked.second !== undefined;
  const language = isCode && parameters.get('as') === 'java' ? 'java' : 'smali';
  const query = useComparedLines(first.sha256, second.sha256, { ...asked, as: language, whole: isWhole });
  const set = (key: string, value: string | null) =>
    setParameters(
      (before) => {
        if (value === null) before.delete(key);
        else before.set(key, value);
        return before;
      },
      { replace: true },
    );
  const other = language === 'java' ? 'smali' : 'java';
  const choose = (chosen: typeof language) => {
    // The first difference of one is elsewhere in the other.
    set('difference', null);
    set('as', chosen === 'java' ? chosen : null);
  };
  useShortcut(words.title, ['J'], words.lines.nextLanguage, () => isCode && choose(other));
  const languages = (
    <Button variant="default" size="xs" title={`${words.lines.nextLanguage} (J)`} onClick={() => choose(other)}>
      {words.lines.show[other]}
    </Button>
  );
  const { data } = query;
  if (query.error !== null || data === undefined || 'stage' in data) {
    const progress = data !== undefined && 'stage' in data ? { progress: data } : {};
    const known =
      query.error === null
        ? ({ state: 'loading', ...progress } as const)
        : ({ state: 'failed', error: query.error, retry: () => void query.refetch() } as const);
    return (
      <>
        {isCode && <div className={styles.bar}>{languages}</div>}
        <Waiting known={known} pair={{ first, second }} />
      </>
    );
  }
  const names = isSwapped ? [asked.second, asked.first] : [asked.first, asked.second];
  const label = isCode
    ? words.lines.label(visibleString(placeName(names[0] ?? names[1] ?? ''), 80))
    : words.lines.manifest;
  const headOf = (apk: ApkDetail, own: string | undefined) => {
    if (!isCode) return <Link to={`/apks/${apk.sha256}/manifest`}>{words.sections.manifest}</Link>;
    if (own === undefined) return words.lines.missing;
    return (
      <Link to={codeAddress(apk.sha256, own)} title={words.lines.inCode}>
        <HostileText value={own} max={300} mono isFixed />
      </Link>
    );
  };
  const list = `${compareAddress(first.sha256, second.sha256)}/${name}${isSwapped ? '?swap' : ''}`;
  return (
    <SideBySide
      label={label}
      lines={data}
      isSwapped={isSwapped}
      isWhole={isWhole}
      onWhole={(whole) => set('whole', whole ? '' : null)}
      current={Number(parameters.get('difference') ?? 0)}
      onCurrent={(current) => set('difference', String(current))}
      heads={[headOf(first, names[0]), headOf(second, names[1])]}
      back={
        isCode && (
          <>
            <Button
              variant="default"
              size="xs"
              title={`${words.lines.close} (Escape)`}
              onClick={() => void navigate(list)}
            >
              {words.lines.close}
            </Button>
            {languages}
          </>
        )
      }
    />
  );
}
