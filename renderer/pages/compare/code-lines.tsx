// A class, a method or the manifest of two APKs side by side, as the address names it. Knows the question, not how lines
// are drawn.
import { Button } from '@mantine/core';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { useComparedLines } from '../../api/apk-queries.ts';
import { codeAddress, compareAddress, placeName } from '../../components/place/place-address.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import type { SectionName } from './differences.ts';
import { SideBySide } from './side-by-side.tsx';
import { compareTexts as words } from './texts.ts';
import { Waiting } from './waiting.tsx';

interface CodeLinesProps {
  first: ApkDetail;
  second: ApkDetail;
  name: SectionName;
  /** The server's left side stands right. */
  isSwapped: boolean;
}

export function CodeLines({ first, second, name, isSwapped }: CodeLinesProps) {
  const navigate = useNavigate();
  const [parameters, setParameters] = useSearchParams();
  const asked = { first: parameters.get('first') ?? undefined, second: parameters.get('second') ?? undefined };
  const isWhole = parameters.has('whole');
  const query = useComparedLines(first.sha256, second.sha256, { ...asked, whole: isWhole });
  if (query.error !== null) {
    const known = { state: 'failed', error: query.error, retry: () => void query.refetch() } as const;
    return <Waiting known={known} pair={{ first, second }} />;
  }
  const { data } = query;
  if (data === undefined) return <Waiting known={{ state: 'loading' }} pair={{ first, second }} />;
  if ('stage' in data) return <Waiting known={{ state: 'loading', progress: data }} pair={{ first, second }} />;
  const set = (key: string, value: string | null) =>
    setParameters(
      (before) => {
        if (value === null) before.delete(key);
        else before.set(key, value);
        return before;
      },
      { replace: true },
    );
  const isCode = asked.first !== undefined || asked.second !== undefined;
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
          <Button
            variant="default"
            size="xs"
            title={`${words.lines.close} (Escape)`}
            onClick={() => void navigate(list)}
          >
            {words.lines.close}
          </Button>
        )
      }
    />
  );
}
