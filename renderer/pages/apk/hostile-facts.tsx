// What strangers wrote down by name, as a detection's information or a rule's metadata. Knows nothing of the names.
import { HostileText } from '../../components/text/hostile-text.tsx';
import shared from './parts.module.css';

/** @param max of them that are drawn */
export const HostileFacts = ({ facts, max }: { facts: object; max: number }) => (
  <dl className={shared.facts}>
    {Object.entries(facts)
      .slice(0, max)
      .map(([name, value]) => (
        <div key={name} className={shared.factLine}>
          <dt>
            <HostileText value={name} max={60} isFixed />
          </dt>
          <dd>
            <HostileText value={typeof value === 'object' ? JSON.stringify(value) : String(value)} max={300} />
          </dd>
        </div>
      ))}
  </dl>
);
