// A class or method, written with dots or as a descriptor, leading to its code. Knows no report.
import { Link } from 'react-router';
import { dottedAddress } from '../../components/place/place-address.ts';
import { PlaceLink } from '../../components/place/place-link.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';

export function CodeLink({ sha256, name, isMethod = false }: { sha256: string; name: string; isMethod?: boolean }) {
  const address = dottedAddress(sha256, name, isMethod);
  if (address === null) return <PlaceLink sha256={sha256} place={name} max={240} />;
  return (
    <Link to={address}>
      <HostileText value={name} max={240} mono isFixed />
    </Link>
  );
}
