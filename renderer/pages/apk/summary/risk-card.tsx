// The risk of an APK: its score in words, what it is made of, and what is known here of its signer and family.
import type { ExplainedRisk, RiskPart } from '../../../../server/contract/findings/risk.ts';
import { Icon } from '../../../components/picture/icon.tsx';
import { EvidenceLink } from '../../../components/place/evidence-link.tsx';
import { riskTones } from '../../../components/status/risk-chip.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import styles from './risk.module.css';
import shared from './summary.module.css';
import { riskTexts } from './texts.ts';

/** Parts that are shown at once. */
const partsShown = 8;

/** @param most points of the weightiest part, which fills its bar */
function Part({ sha256, part, most }: { sha256: string; part: RiskPart; most: number }) {
  return (
    <details className={styles.part} data-testid="risk-part">
      <summary>
        <Icon name="chevron" size={12} />
        <span className={`${styles.points} tabular`}>+{part.points}</span>
        <meter
          className={styles.bar}
          min={0}
          max={most}
          value={part.points}
          aria-label={riskTexts.points(part.points)}
        />
        <span className={styles.title}>{part.title}</span>
        <span className={styles.group}>{riskTexts.groups[part.group]}</span>
      </summary>
      <p className={styles.reason}>{part.reason}</p>
      <ul className={styles.evidence}>
        {part.evidence.map((evidence, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: evidence never changes places, and equal ones may repeat
          <li key={index}>
            <EvidenceLink sha256={sha256} evidence={evidence} />
          </li>
        ))}
      </ul>
      {part.count > part.evidence.length && part.evidence.length > 1 && (
        <p className={styles.reason}>{riskTexts.more(part.count - part.evidence.length)}</p>
      )}
    </details>
  );
}

function Context({ context: { signer, family } }: Pick<ExplainedRisk, 'context'>) {
  if (signer === null && family === null) return null;
  return (
    <p className={styles.context} data-testid="risk-context">
      <b>{riskTexts.known}</b>{' '}
      {signer !== null && (
        <>
          {riskTexts.signer(signer)}
          {signer.families.length > 0 && (
            <>
              {' '}
              (<HostileText value={signer.families.join(', ')} max={120} isFixed />)
            </>
          )}
          .{' '}
        </>
      )}
      {family !== null && (
        <>
          <HostileText value={family.name} max={60} isFixed />: {riskTexts.family(family.apks)}.
        </>
      )}
    </p>
  );
}

export function RiskCard({ sha256, risk }: { sha256: string; risk: ExplainedRisk }) {
  const { score, level, parts, dismissed, context } = risk;
  const rest = parts.slice(partsShown);
  const most = parts[0]?.points ?? 1;
  return (
    <section className={shared.card} aria-labelledby="risk-title" data-testid="risk">
      <div className={shared.cardHead}>
        <h2 id="risk-title">{riskTexts.title}</h2>
        <Chip tone={riskTones[level]}>{riskTexts.score(score, level)}</Chip>
      </div>
      {parts.length === 0 && <p className={shared.nothing}>{riskTexts.nothing}</p>}
      {parts.slice(0, partsShown).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are ordered by the server, and titles may repeat
        <Part key={index} sha256={sha256} part={part} most={most} />
      ))}
      {rest.length > 0 && (
        <details className={shared.libraries}>
          <summary>
            <Icon name="chevron" size={12} />
            {riskTexts.rest(rest.length, Math.round(rest.reduce((sum, { points }) => sum + points, 0)))}
          </summary>
          {rest.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Part key={index} sha256={sha256} part={part} most={most} />
          ))}
        </details>
      )}
      {dismissed > 0 && <p className={styles.context}>{riskTexts.dismissed(dismissed)}</p>}
      <Context context={context} />
    </section>
  );
}
