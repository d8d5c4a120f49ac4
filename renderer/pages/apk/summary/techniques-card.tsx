// Techniques of MITRE ATT&CK for Mobile that an APK shows, by tactic, each with what shows it. Knows techniques only.
import type { ShownTechnique } from '../../../../server/contract/findings/risk.ts';
import { Icon } from '../../../components/picture/icon.tsx';
import { EvidenceLink } from '../../../components/place/evidence-link.tsx';
import styles from './risk.module.css';
import shared from './summary.module.css';
import { tacticOrder, tacticTexts, techniqueTexts } from './texts.ts';

export function TechniquesCard({ sha256, techniques }: { sha256: string; techniques: readonly ShownTechnique[] }) {
  if (techniques.length === 0) return null;
  return (
    <section className={shared.card} aria-labelledby="techniques-title" data-testid="techniques">
      <div className={shared.cardHead}>
        <h2 id="techniques-title">{techniqueTexts.title(techniques.length)}</h2>
      </div>
      {tacticOrder.map((tactic) => {
        const shown = techniques.filter(({ tactics }) => tactics.includes(tactic));
        if (shown.length === 0) return null;
        return (
          <div key={tactic} className={styles.tactic}>
            <h3>{tacticTexts[tactic]}</h3>
            {shown.map(({ id, name, evidence }) => (
              <details key={id} className={styles.part} data-testid="technique">
                <summary>
                  <Icon name="chevron" size={12} />
                  <code className={styles.points}>{id}</code>
                  <span className={styles.title}>{name}</span>
                </summary>
                <ul className={styles.evidence}>
                  {evidence.map((one, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: evidence never changes places, and equal ones may repeat
                    <li key={index}>
                      <EvidenceLink sha256={sha256} evidence={one} />
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </div>
        );
      })}
    </section>
  );
}
