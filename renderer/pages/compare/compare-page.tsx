// Two APKs side by side, part by part, out of the reports that there are. Knows differences, not how they are found.
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { ApiError } from '../../api/client.ts';
import { useApk } from '../../api/queries.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { PartedPage } from '../../components/page/parted-page.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { apkName } from '../../components/place/named-link.tsx';
import { compareAddress } from '../../components/place/place-address.ts';
import { MissingReport } from '../../components/status/missing-report.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { percent } from '../../components/text/format.ts';
import { visibleString } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { apkTexts } from '../apk/texts.ts';
import { ApkSide } from './apk-side.tsx';
import { ChooseOther } from './choose-other.tsx';
import styles from './compare.module.css';
import { comparedSections } from './compared-parts.ts';
import { DifferenceList } from './difference-list.tsx';
import { countsOf } from './differences.ts';
import { certificateOf, type SectionName, sectionGroups, sectionNames } from './sections.ts';
import { compareTexts as words } from './texts.ts';
import { type Comparison, type SideName, useComparison } from './use-comparison.ts';

interface Pair {
  first: ApkDetail;
  second: ApkDetail;
}

/** Both at a glance: same package, same signer, how many files are the same. */
function Verdicts({ first, second, comparison }: Pair & { comparison: Comparison }) {
  const { reports } = comparison;
  const files = comparison.of('files');
  const signers =
    reports.state === 'ready'
      ? [certificateOf(reports.value.first)?.sha256, certificateOf(reports.value.second)?.sha256]
      : [];
  const isSamePackage = first.package_name === second.package_name;
  const hasSigners = signers[0] !== undefined && signers[1] !== undefined;
  const isSameSigner = signers[0] === signers[1];
  const counts = files.state === 'ready' ? countsOf(files.value) : null;
  const total = files.state === 'ready' ? files.value.length : 0;
  return (
    <div className={styles.verdicts}>
      <Chip tone={isSamePackage ? 'good' : 'quiet'}>
        {isSamePackage ? words.verdict.samePackage : words.verdict.otherPackage}
      </Chip>
      {hasSigners && (
        <Chip
          tone={isSameSigner ? 'good' : isSamePackage ? 'high' : 'quiet'}
          {...(!isSameSigner && isSamePackage ? { icon: 'warning', title: words.verdict.otherSignerText } : {})}
        >
          {isSameSigner ? words.verdict.sameSigner : words.verdict.otherSigner}
        </Chip>
      )}
      {counts !== null && total > 0 && (
        <span className={styles.soft}>{words.verdict.sameFiles(percent((counts.same + counts.moved) / total))}</span>
      )}
    </div>
  );
}

function Content({ name, pair, comparison }: { name: SectionName; pair: Pair; comparison: Comparison }) {
  const section = comparison.of(name);
  if (section.state === 'loading') return <LoadingPanel label={apkTexts.loadingReport} />;
  if (section.state === 'failed') return <ErrorPanel error={section.error} onRetry={section.retry} />;
  if (section.state === 'unreported') {
    return section.sides.map((side) => (
      <section key={side} className={styles.unreported} aria-label={words.noReport(words.sides[side])}>
        <p className={styles.soft}>{words.noReport(words.sides[side])}</p>
        <MissingReport sha256={pair[side].sha256} kind="static" />
      </section>
    ));
  }
  // The server lists what differs alone.
  if (section.value.length === 0 && comparedSections.some((one) => one === name))
    return <StatePanel icon="check" title={words.noDifference} />;
  const { first, second } = pair;
  return (
    <DifferenceList
      key={name}
      label={words.sections[name]}
      differences={section.value}
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

function Compared({ first, second, name }: Pair & { name: SectionName }) {
  const navigate = useNavigate();
  const comparison = useComparison(first, second, name);
  const address = compareAddress(first.sha256, second.sha256);
  const nameOf = (apk: ApkDetail) => visibleString(apkName(apk), 40);
  usePageTitle(`${words.title}: ${words.titleOf(nameOf(first), nameOf(second))}`);
  // At once: the next key must find the new page.
  const step = (by: number) => {
    const next = sectionNames[(sectionNames.indexOf(name) + by + sectionNames.length) % sectionNames.length]!;
    void navigate(`${address}/${next}`, { flushSync: true });
  };
  const swap = () =>
    void navigate(`${compareAddress(second.sha256, first.sha256)}/${name}`, { replace: true, flushSync: true });
  useShortcut(words.title, [']', 'l'], words.nextPart, () => step(1));
  useShortcut(words.title, ['[', 'h'], words.previousPart, () => step(-1));
  useShortcut(words.title, ['s'], words.swap, swap);
  useShortcut(words.title, ['Escape', 'u'], words.back, () => void navigate(`/apks/${first.sha256}`));
  const groups = sectionGroups.map(({ group, sections }) => ({
    title: words.groups[group],
    parts: sections.map((section) => {
      const known = comparison.of(section);
      const counts = known.state === 'ready' ? countsOf(known.value) : null;
      return {
        name: section,
        label: words.sections[section],
        address: `${address}/${section}`,
        count: counts === null ? null : counts.first + counts.second + counts.changed + counts.moved,
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
            <Verdicts first={first} second={second} comparison={comparison} />
            <Link to={compareAddress(first.sha256)}>{words.other}</Link>
          </div>
        </>
      }
      label={words.parts}
      groups={groups}
      current={name}
    >
      <Content name={name} pair={{ first, second }} comparison={comparison} />
    </PartedPage>
  );
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
  return <Compared key={`${one} ${other}`} first={first.data} second={second.data} name={name} />;
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
