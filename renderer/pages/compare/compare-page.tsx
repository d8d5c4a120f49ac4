// Two APKs side by side, part by part, out of the reports that there are. Knows differences, not how they are found.
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { comparisonSections } from '../../../server/contract/catalogue/apk-page.ts';
import type { ComparedList, Comparison as ServerComparison } from '../../../server/contract/engine/comparison.ts';
import { inVersionOrder } from '../../../server/contract/engine/version-order.ts';
import { ApiError, askBytes } from '../../api/client.ts';
import { useApk } from '../../api/queries.ts';
import { ReportDialog } from '../../components/export/report-dialog.tsx';
import { exportTexts } from '../../components/export/texts.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { PartedPage } from '../../components/page/parted-page.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { apkName } from '../../components/place/named-link.tsx';
import { compareAddress } from '../../components/place/place-address.ts';
import { Chip } from '../../components/text/chip.tsx';
import { percent } from '../../components/text/format.ts';
import { visibleString } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { apkTexts } from '../apk/texts.ts';
import { ApkSide } from './apk-side.tsx';
import { ChooseOther } from './choose-other.tsx';
import { CodeLines } from './code-lines.tsx';
import styles from './compare.module.css';
import { DifferenceList } from './difference-list.tsx';
import { type CodePair, type SectionName, sectionGroups, sectionNames } from './differences.ts';
import { compareTexts as words } from './texts.ts';
import { type Comparison, type SideName, useComparison } from './use-comparison.ts';
import { Waiting } from './waiting.tsx';

interface Pair {
  first: ApkDetail;
  second: ApkDetail;
}

/** null where neither has one. */
function isSameSigner({ certificate }: ServerComparison['parts']): boolean | null {
  const signers = certificate.differences.filter(({ name }) => name.startsWith('signer '));
  if (signers.some(({ first, second }) => first?.sha256 !== second?.sha256)) return false;
  // Beside whether the signature verifies.
  return signers.length > 0 || certificate.counts.same + certificate.counts.changed > 1 ? true : null;
}

const sameShare = ({ counts }: ComparedList): string | null => {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return total === 0 ? null : percent((counts.same + counts.renamed) / total);
};

/** Both at a glance: same package, same signer, how much is the same. */
function Summary({ first, second, comparison }: Pair & { comparison: Comparison }) {
  const { summary } = words;
  const isSamePackage = first.package_name === second.package_name;
  const parts = comparison.whole.state === 'ready' ? comparison.whole.value.parts : null;
  const isSame = parts === null ? null : isSameSigner(parts);
  const [files, methods] = parts === null ? [null, null] : [sameShare(parts.files), sameShare(parts.methods)];
  return (
    <div className={styles.chips}>
      <Chip tone={isSamePackage ? 'good' : 'quiet'}>{isSamePackage ? summary.samePackage : summary.otherPackage}</Chip>
      {isSame !== null && (
        <Chip
          tone={isSame ? 'good' : isSamePackage ? 'high' : 'quiet'}
          {...(!isSame && isSamePackage ? { icon: 'warning', title: summary.otherSignerText } : {})}
        >
          {isSame ? summary.sameSigner : summary.otherSigner}
        </Chip>
      )}
      {files !== null && <span className={styles.soft}>{summary.sameFiles(files)}</span>}
      {methods !== null && <span className={styles.soft}>{summary.sameMethods(methods)}</span>}
    </div>
  );
}

/** Saves what differs as one page for people. */
function ReportButton({ first, second }: Pair) {
  const [isOpen, dialog] = useDisclosure(false);
  const address = { sha256: first.sha256, other: second.sha256 };
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={dialog.open}>
        {exportTexts.page}
      </Button>
      <ReportDialog
        sections={comparisonSections}
        names={words.sections}
        fileName={`${first.sha256.slice(0, 12)}_${second.sha256.slice(0, 12)}`}
        ask={(query) => askBytes('GET /apks/<sha256>/compare/<other>/page/', { ...address, query })}
        isOpen={isOpen}
        onClose={dialog.close}
      />
    </>
  );
}

interface ContentProps {
  name: SectionName;
  pair: Pair;
  comparison: Comparison;
  isSwapped: boolean;
}

function Content({ name, pair, comparison, isSwapped }: ContentProps) {
  const [parameters] = useSearchParams();
  const section = comparison.of(name);
  if (section.state !== 'ready') return <Waiting known={section} pair={pair} />;
  const { first, second } = pair;
  const isOpened = parameters.has('first') || parameters.has('second');
  if (name === 'manifest' || isOpened) return <CodeLines {...pair} name={name} isSwapped={isSwapped} />;
  const addressOf = (code: CodePair) => {
    const query = new URLSearchParams({ ...code, ...(isSwapped && { swap: '' }) });
    return `${compareAddress(first.sha256, second.sha256)}/${name}?${query}`;
  };
  return (
    <DifferenceList
      key={name}
      label={words.sections[name]}
      section={section.value}
      addressOf={addressOf}
      fileName={`${first.sha256.slice(0, 12)}_${second.sha256.slice(0, 12)}_${name}.csv`}
    />
  );
}

const markOf = (side: SideName) => (
  <span className={styles.mark}>
    <span className="visually-hidden">{words.side('')}</span>
    {words.sides[side]}
  </span>
);

/** As they stand on the page. */
function Compared({ first, second, name, isSwapped, comparison }: ContentProps & Pair) {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const address = compareAddress(first.sha256, second.sha256);
  const swapMark = isSwapped ? '?swap' : '';
  const nameOf = (apk: ApkDetail) => visibleString(apkName(apk), 40);
  usePageTitle(`${words.title}: ${words.titleOf(nameOf(first), nameOf(second))}`);
  // At once: the next key must find the new page.
  const step = (by: number) => {
    const next = sectionNames[(sectionNames.indexOf(name) + by + sectionNames.length) % sectionNames.length]!;
    void navigate(`${address}/${next}${swapMark}`, { flushSync: true });
  };
  const swap = () => {
    const query = new URLSearchParams(parameters);
    if (isSwapped) query.delete('swap');
    else query.set('swap', '');
    void navigate(`${address}/${name}?${query}`, { replace: true, flushSync: true });
  };
  const isOpened = parameters.has('first') || parameters.has('second');
  const back = isOpened ? `${address}/${name}${swapMark}` : `/apks/${first.sha256}`;
  useShortcut(words.title, [']', 'l'], words.nextPart, () => step(1));
  useShortcut(words.title, ['[', 'h'], words.previousPart, () => step(-1));
  useShortcut(words.title, ['s'], words.swap, swap);
  useShortcut(words.title, ['Escape', 'u'], isOpened ? words.lines.close : words.back, () => void navigate(back));
  const groups = sectionGroups.map(({ group, sections }) => ({
    title: words.groups[group],
    parts: sections.map((section) => {
      const known = comparison.of(section);
      return {
        name: section,
        label: words.sections[section],
        address: `${address}/${section}${swapMark}`,
        count: known.state === 'ready' ? known.value.total : null,
      };
    }),
  }));
  return (
    <PartedPage
      head={
        <>
          <h1 className="visually-hidden">{words.titleOf(nameOf(first), nameOf(second))}</h1>
          <header className={styles.header}>
            <ApkSide apk={first} address={`/apks/${first.sha256}`} mark={markOf('first')} />
            <Tooltip label={`${words.swap} (s)`}>
              <ActionIcon variant="default" aria-label={words.swap} onClick={swap}>
                <Icon name="swap" />
              </ActionIcon>
            </Tooltip>
            <ApkSide apk={second} address={`/apks/${second.sha256}`} mark={markOf('second')} />
          </header>
          <div className={styles.summary}>
            <Summary first={first} second={second} comparison={comparison} />
            {comparison.whole.state === 'ready' && <ReportButton first={first} second={second} />}
            <Link to={compareAddress(first.sha256)}>{words.other}</Link>
          </div>
        </>
      }
      label={words.parts}
      groups={groups}
      current={name}
    >
      <Content name={name} pair={{ first, second }} comparison={comparison} isSwapped={isSwapped} />
    </PartedPage>
  );
}

/** The lower version code on the left, else the APK that was first seen earlier, unless the sides are swapped. */
function Ordered({ one, other, name }: { one: ApkDetail; other: ApkDetail; name: SectionName }) {
  const [parameters] = useSearchParams();
  const isSwapped = parameters.has('swap');
  const ordered = inVersionOrder(
    ...([one, other]
      .sort((mine, theirs) => Date.parse(mine.created_at) - Date.parse(theirs.created_at))
      .map((apk) => ({ apk, versionCode: apk.version_code })) as [VersionedApk, VersionedApk]),
  );
  const [first, second] = (isSwapped ? ordered.toReversed() : ordered).map(({ apk }) => apk) as [ApkDetail, ApkDetail];
  const comparison = useComparison(first, second);
  const pair = { first, second };
  return <Compared {...pair} pair={pair} name={name} isSwapped={isSwapped} comparison={comparison} />;
}

interface VersionedApk {
  apk: ApkDetail;
  versionCode: string;
}

/** An APK's record, or what is shown in its place. */
function Missing({ error, onRetry, other }: { error: Error; onRetry: () => void; other: string | null }) {
  const navigate = useNavigate();
  if (!(error instanceof ApiError) || error.status !== 404)
    return <ErrorPanel error={error} onRetry={onRetry} isPage />;
  return (
    <StatePanel
      icon="search"
      title={words.gone}
      isPage
      action={
        other !== null && (
          <Button variant="default" onClick={() => void navigate(compareAddress(other))}>
            {words.other}
          </Button>
        )
      }
    >
      {apkTexts.notFoundText}
    </StatePanel>
  );
}

function Two({ one, other, name }: { one: string; other: string; name: SectionName }) {
  const first = useApk(one);
  const second = useApk(other);
  const navigate = useNavigate();
  if (first.isError) {
    return <Missing error={first.error} onRetry={() => void first.refetch()} other={second.isSuccess ? other : null} />;
  }
  if (second.isError) {
    return <Missing error={second.error} onRetry={() => void second.refetch()} other={first.isSuccess ? one : null} />;
  }
  if (first.isPending || second.isPending) return <LoadingPanel />;
  if (one === other) {
    return (
      <StatePanel
        icon="check"
        title={words.identical}
        isPage
        action={
          <Button variant="default" onClick={() => void navigate(compareAddress(one))}>
            {words.other}
          </Button>
        }
      >
        {words.identicalText}
      </StatePanel>
    );
  }
  return <Ordered key={`${one} ${other}`} one={first.data} other={second.data} name={name} />;
}

function One({ sha256 }: { sha256: string }) {
  const apk = useApk(sha256);
  if (apk.isPending) return <LoadingPanel />;
  if (apk.isError) return <Missing error={apk.error} onRetry={() => void apk.refetch()} other={null} />;
  return <ChooseOther key={sha256} apk={apk.data} />;
}

export function Component() {
  const { first = '', second, part } = useParams();
  const name = sectionNames.find((candidate) => candidate === part) ?? 'app';
  const one = first.toLowerCase();
  return second === undefined ? <One sha256={one} /> : <Two one={one} other={second.toLowerCase()} name={name} />;
}
