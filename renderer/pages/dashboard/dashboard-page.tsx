// New APKs, detections, jobs; each figure links to the list behind it.

import { type ReactNode, useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import { damages } from '../../../server/contract/catalogue/damage.ts';
import { useFigures } from '../../api/catalogue-queries.ts';
import type { AnswerOf } from '../../api/client.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { apkName } from '../../components/place/named-link.tsx';
import { jobsTexts, statusTexts } from '../../components/status/texts.ts';
import type { Tone } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatSize, formatWhen } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { columnsTexts } from '../catalogue/texts.ts';
import type { Bar } from './bars.ts';
import styles from './dashboard.module.css';
import { DayBars } from './day-bars.tsx';
import { dashboardTexts as words } from './texts.ts';

const totalSearches: Record<keyof typeof words.totals, string> = {
  total: '',
  detected: 'detected:true',
  trusted: 'trusted:true',
  static_analyzed: 'static_analyzed:true',
  dynamic_analyzed: 'dynamic_analyzed:true',
};

/** What asks to be looked at. */
const totalTones: Partial<Record<keyof typeof words.totals, Tone>> = { detected: 'critical' };

/** The search for what came on the UTC days of a bar. */
const daysSearch = ({ from, to }: Bar) => `date:[${from} TO ${to}T23:59:59Z]`;

interface Rank {
  key: string;
  name: string;
  count: number;
  /** What finds the APKs that are counted. */
  search: string;
}

/** What most APKs have in common, and by how many. */
const ranksOf = ({ severities, permissions, rulesets, signers }: AnswerOf<'GET /statistics/'>) => ({
  severities: severities.map(
    ({ severity, ...rest }): Rank => ({ key: severity, name: columnsTexts.severities[severity], ...rest }),
  ),
  permissions: permissions.most.map(
    ({ name, ...rest }): Rank => ({ key: name, name: name.replace(/^android\.permission\./, ''), ...rest }),
  ),
  rulesets: rulesets.map(({ id, ...rest }): Rank => ({ key: id, ...rest })),
  signers: signers.map(
    ({ sha256, company, ...rest }): Rank => ({
      key: sha256,
      name: company === '' ? sha256 : `${company} · ${sha256.slice(0, 8)}`,
      ...rest,
    }),
  ),
});

function Ranks({ rows }: { rows: readonly Rank[] }) {
  if (rows.length === 0) return <p className={styles.soft}>{words.nothing}</p>;
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ol className={styles.ranks}>
      {rows.map(({ key, name, count, search }) => (
        <li key={key}>
          <Link className={styles.rank} to={searchAddress(search)}>
            <span className={`${styles.rankBar} bar-behind-text`} style={{ width: `${(100 * count) / most}%` }} />
            <span className={styles.rankName}>
              <HostileText value={name} max={80} isFixed />
            </span>
            <span className="tabular">{formatCount(count)}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

type ListedApk = AnswerOf<'GET /statistics/'>['newest'][number];

function ApkList({ apks }: { apks: readonly ListedApk[] }) {
  if (apks.length === 0) return <p className={styles.soft}>{words.nothing}</p>;
  return (
    <ol className={styles.ranks}>
      {apks.map((apk) => (
        <li key={apk.sha256}>
          <Link className={styles.rank} to={`/apks/${apk.sha256}`} title={apk.sha256}>
            <span className={styles.rankName}>
              <HostileText value={`${apkName(apk)} ${apk.version}`} max={100} isFixed />
            </span>
            <span className={styles.listed}>
              {apk.workstation.risk !== null && (
                <span className="tabular">{words.risk(apk.workstation.risk.score)}</span>
              )}
              <time className="tabular" dateTime={apk.created_at}>
                {formatWhen(apk.created_at)}
              </time>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

function Totals({ apks }: Pick<AnswerOf<'GET /statistics/'>, 'apks'>) {
  return (
    <div className={styles.totals}>
      {(Object.keys(words.totals) as (keyof typeof words.totals)[]).map((name) => (
        <Link
          key={name}
          className={styles.total}
          to={searchAddress(totalSearches[name])}
          data-tone={apks[name] > 0 ? totalTones[name] : undefined}
          data-testid={`total-${name}`}
        >
          <strong className="tabular">{formatCount(apks[name])}</strong>
          {words.totals[name]}
        </Link>
      ))}
      {damages.map((name) => (
        <Link
          key={name}
          className={styles.total}
          to={searchAddress(`damage:${name}`)}
          title={statusTexts.damage[name].text}
          data-tone={apks.damages[name] > 0 ? 'medium' : undefined}
          data-testid={`total-${name}`}
        >
          <strong className="tabular">{formatCount(apks.damages[name])}</strong>
          {statusTexts.damage[name].name}
        </Link>
      ))}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Queue({ queue: { queued, running, kinds } }: Pick<AnswerOf<'GET /statistics/'>, 'queue'>) {
  if (queued + running === 0) return <p className={styles.soft}>{words.idle}</p>;
  return (
    <ol className={styles.ranks}>
      {kinds.map(({ kind, queued, running }) => (
        <li key={kind}>
          <Link className={styles.rank} to="/jobs">
            <span>{jobsTexts.kinds[kind] ?? kind}</span>
            <span className="tabular">{words.queueLine(running, queued)}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const days = parameters.get('days') ?? '';
  const shown = (days in words.dayChoices ? days : '30') as keyof typeof words.dayChoices;
  const figures = useFigures(Number(shown));
  usePageTitle(words.title);
  if (!figures.isSuccess) return <QueryState query={figures} isPage />;
  const { apks, imports, detections, queue, storage, newest, worst, permissions } = figures.data;
  const ranks = ranksOf(figures.data);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.page} tabIndex={0} aria-label={words.title}>
      <div className={styles.head}>
        <h1>{words.title}</h1>
        <Segments
          label={words.days}
          value={shown}
          onChange={(value) => setParameters({ days: value }, { replace: true })}
          labels={words.dayChoices}
        />
      </div>
      <Totals apks={apks} />
      <div className={styles.grid}>
        <Part title={words.newest}>
          <ApkList apks={newest} />
        </Part>
        <Part title={words.worst}>
          <ApkList apks={worst} />
        </Part>
        <Part title={words.severities}>
          <Ranks rows={ranks.severities} />
        </Part>
        <Part title={words.permissions(permissions.apks)}>
          <Ranks rows={ranks.permissions} />
        </Part>
        <Part title={words.imports}>
          <DayBars
            days={imports}
            what={words.imports}
            tone="accent"
            addressOf={(bar) => searchAddress(daysSearch(bar))}
          />
        </Part>
        <Part title={words.detections}>
          <DayBars
            days={detections}
            what={words.detections}
            tone="critical"
            addressOf={() => searchAddress('detected:true')}
          />
        </Part>
        <Part title={words.families}>
          <Ranks rows={ranks.rulesets} />
        </Part>
        <Part title={words.signers}>
          <Ranks rows={ranks.signers} />
        </Part>
        <Part title={words.queue}>
          <Queue queue={queue} />
        </Part>
        <Part title={words.storage}>
          <p className={styles.soft}>{words.storageLine(formatSize(storage.apks), formatSize(storage.database))}</p>
        </Part>
      </div>
    </section>
  );
}
