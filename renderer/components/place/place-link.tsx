// A place in an APK as a report writes it, leading to the view that shows it. Knows nothing of what stands there.
import { Link } from 'react-router';
import { HostileText, visibleString } from '../text/hostile-text.tsx';
import { placeAddress, placeName, seekOf } from './place-address.ts';

interface PlaceLinkProps {
  sha256: string;
  place: string;
  /** Longer places are cut. */
  max?: number;
  /** The instruction that stands there, where the place is a method. */
  instruction?: string;
}

export function PlaceLink({ sha256, place, max = 200, instruction = '' }: PlaceLinkProps) {
  const found = placeAddress(sha256, place);
  const seek = found?.includes('&member=') ? seekOf(instruction) : '';
  const address = found === null || seek === '' ? found : `${found}&${new URLSearchParams({ seek })}`;
  if (address === null) return <HostileText value={place} max={max} mono isFixed />;
  const name = placeName(place);
  return (
    <Link to={address} title={name === place ? undefined : visibleString(place, 1000)}>
      <HostileText value={name} max={max} mono isFixed />
    </Link>
  );
}
