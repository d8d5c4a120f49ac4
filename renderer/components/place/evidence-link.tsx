// One thing that an APK's risk stands on, leading to where it is shown. Knows nothing of how much it weighs.
import { Link } from 'react-router';
import type { RiskEvidence } from '../../../server/contract/findings/risk.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { PlaceLink } from './place-link.tsx';

const permissionPrefix = 'android.permission.';

export function EvidenceLink({ sha256, evidence }: { sha256: string; evidence: RiskEvidence }) {
  const { kind, name, where, text } = evidence;
  const to = `/apks/${sha256}`;
  if (kind === 'rule') {
    return (
      <>
        <Link to={`${to}/matches`}>
          <HostileText value={name} max={120} mono isFixed />
        </Link>{' '}
        <HostileText value={where === '' ? text : `${text} · ${where}`} max={200} isFixed />
      </>
    );
  }
  if (kind === 'antivirus') {
    return (
      <>
        <HostileText value={name} max={80} isFixed />: <HostileText value={text} max={160} mono isFixed />
      </>
    );
  }
  return (
    <>
      {kind === 'permission' && (
        <>
          <Link to={`${to}/permissions?find=${encodeURIComponent(name)}`}>
            <HostileText value={name.replace(permissionPrefix, '')} max={100} mono isFixed />
          </Link>{' '}
        </>
      )}
      {where !== '' && <PlaceLink sha256={sha256} place={where} max={160} instruction={text} />}{' '}
      <HostileText value={text} max={260} mono />
    </>
  );
}
