// One family: how it is called and why, when its members came, what they share and where they differ, what people did with it.
// Which of these is shown stands in the address.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { FamilyDetail } from '../../../server/contract/catalogue/family.ts';
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';
import { useChangeFamily, useFamily } from '../../api/family-queries.ts';
import { IndicatorMenu } from '../../components/export/indicator-menu.tsx';
import { JudgeFamily } from '../../components/family/judge-family.tsx';
import { familyTexts as sharedWords } from '../../components/family/texts.ts';
import { Page } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { fieldSearch, searchAddress } from '../../components/place/catalogue-address.ts';
import { useQueue } from '../../components/queue/use-queue.ts';
import { RiskChip } from '../../components/status/risk-chip.tsx';
import { formatDate } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { verdictTexts } from '../../components/verdict/texts.ts';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { DayBars } from '../dashboard/day-bars.tsx';
import { proposalTexts } from '../proposal/texts.ts';
import { usePropose } from '../proposal/use-propose.ts';
import styles from './families.module.css';
import { FamilyActions } from './family-actions.tsx';
import { FamilyChips } from './family-chips.tsx';
import { MergeDialog, RenameDialog } from './family-dialogs.tsx';
import { FamilyMembers } from './family-members.tsx';
import { FamilyTraits } from './family-traits.tsx';
import { familyTexts as words } from './texts.ts';

type View = keyof typeof words.views;
const dayMilliseconds = 86_400_000;

/** Every day from the first to the last, also those on which none came. */
function daysOf(overTime: FamilyDetail['over_time']) {
  const counts = new Map(overTime.map(({ from, apks_count }) => [from, apks_count]));
  const [first, last] = [overTime[0], overTime.at(-1)].map((day) => Date.parse(day?.from ?? ''));
  const days: { date: string; count: number }[] = [];
  for (let at = first ?? Number.NaN; at <= (last ?? Number.NaN); at += dayMilliseconds) {
    const date = new Date(at).toISOString().slice(0, 10);
    days.push({ date, count: counts.get(date) ?? 0 });
  }
  return days;
}

function Names({ family: { id, name, is_named, proposed_names } }: { family: FamilyDetail }) {
  const rename = useChangeFamily(id);
  const others = proposed_names.filter((one) => !is_named || one.name !== name);
  if (others.length === 0) return null;
  return (
    <section aria-label={words.proposals} className={styles.proposals}>
      <h2>{words.proposals}</h2>
      <ul>
        {others.map((one) => (
          <li key={`${one.source} ${one.name}`} data-testid="proposed-name">
            <b>
              <HostileText value={one.name} max={60} isFixed />
            </b>
            <span className={styles.soft}>
              <HostileText value={one.reason} max={160} isFixed />
            </span>
            <Button
              size="compact-xs"
              variant="default"
              loading={rename.isPending && rename.variables.name === one.name}
              aria-label={words.nameIt(visibleString(one.name, 60))}
              onClick={() => rename.mutate({ name: one.name })}
            >
              {words.use}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OverTime({ family }: { family: FamilyDetail }) {
  const days = daysOf(family.over_time);
  if (days.length < 2) return null;
  return (
    <section aria-label={words.overTime} className={styles.overTime}>
      <h2>{words.overTime}</h2>
      <DayBars
        days={days}
        what={words.arrived}
        tone="accent"
        addressOf={({ from, to }) => searchAddress(`${searchOf(family)} date:[${from} TO ${to}]`)}
      />
    </section>
  );
}

/** Finds the members by the family's name. */
const searchOf = ({ name }: FamilyDetail) => fieldSearch('family', name) ?? '';

function Actions({ family }: { family: FamilyDetail }) {
  const queue = useQueue();
  const [judged, setJudged] = useState<Verdict | null>(null);
  const [asked, setAsked] = useState<'rename' | 'merge' | null>(null);
  const { propose, isPending } = usePropose();
  const { labels } = verdictTexts;
  useShortcut(words.title, ['M'], verdictTexts.shortcut(labels.malicious), () => setJudged('malicious'));
  useShortcut(words.title, ['S'], verdictTexts.shortcut(labels.suspicious), () => setJudged('suspicious'));
  useShortcut(words.title, ['C'], verdictTexts.shortcut(labels.clean), () => setJudged('clean'));
  useShortcut(words.title, ['U'], verdictTexts.shortcut(labels.unknown), () => setJudged('unknown'));
  useShortcut(words.title, ['e'], words.renameTitle, () => setAsked('rename'));
  const search = searchOf(family);
  return (
    <>
      <Button variant="default" onClick={() => setJudged('malicious')} title={sharedWords.judgeKey}>
        {sharedWords.judge}
      </Button>
      {search !== '' && (
        <Button variant="default" loading={queue.isPending} onClick={() => queue.start(search)}>
          {words.triage}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('rename')}>
        {words.rename}
      </Button>
      <Button variant="default" onClick={() => setAsked('merge')}>
        {words.merge}
      </Button>
      <Button
        variant="default"
        title={proposalTexts.proposeHint}
        loading={isPending}
        onClick={() => propose({ family: family.id })}
      >
        {proposalTexts.propose}
      </Button>
      <IndicatorMenu of={{ family: family.id }} fileName="family_indicators" />
      {search !== '' && <Link to={searchAddress(search)}>{words.inCatalogue}</Link>}
      <JudgeFamily family={family} verdict={judged} onClose={() => setJudged(null)} />
      <RenameDialog
        key={family.updated_at}
        family={family}
        isOpen={asked === 'rename'}
        onClose={() => setAsked(null)}
      />
      <MergeDialog family={family} isOpen={asked === 'merge'} onClose={() => setAsked(null)} />
    </>
  );
}

function Content({ family, view }: { family: FamilyDetail; view: View }) {
  if (view === 'members') return <FamilyMembers family={family} />;
  if (view === 'history') return <FamilyActions id={family.id} />;
  return <FamilyTraits family={family} of={view} />;
}

export function Component() {
  const { id = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const family = useFamily(id);
  const asked = parameters.get('view') ?? '';
  const view: View = Object.hasOwn(words.views, asked) ? (asked as View) : 'members';
  if (!family.isSuccess) return <QueryState query={family} isPage />;
  const { name, note, apks_count, risk, first_seen_at, last_seen_at } = family.data;
  return (
    <Page
      title={`${words.title}: ${visibleString(name, 80)}`}
      bar={
        <>
          <FamilyChips family={family.data} />
          <RiskChip risk={risk} label={words.columns.risk} />
          <span className={styles.soft}>
            {words.members(apks_count)}
            {first_seen_at !== null &&
              last_seen_at !== null &&
              `, ${words.seen(formatDate(first_seen_at), formatDate(last_seen_at))}`}
          </span>
        </>
      }
      actions={<Link to="/families">{words.all}</Link>}
    >
      <div className={styles.bar}>
        <Actions family={family.data} />
      </div>
      <div className={styles.body}>
        {note !== '' && (
          <p className={styles.note}>
            <HostileText value={note} max={2000} />
          </p>
        )}
        <div className={styles.overview}>
          <Names family={family.data} />
          <OverTime family={family.data} />
        </div>
        <div className={styles.bar}>
          <Segments
            label={words.view}
            value={view}
            onChange={(next) => setParameters(next === 'members' ? {} : { view: next }, { replace: true })}
            labels={words.views}
            countOf={(one) => (one === 'members' ? apks_count : undefined)}
          />
        </div>
        <Content key={id} family={family.data} view={view} />
      </div>
    </Page>
  );
}
